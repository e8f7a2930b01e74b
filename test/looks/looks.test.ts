import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import axe from 'axe-core'
import { chromium } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserPath } from '../support/browsers.ts'
import { chromiumOptions } from '../support/browsers/launch-options.ts'
import { draw } from './sheet.ts'

import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright'
import type { Sheet } from './sheet.ts'

const PHONE = 320
const DESKTOP = 416
const SQUARE = 8
/**
 * The largest difference of colours that the test ignores. The new and the stored picture are divided into squares,
 * each 8×8 pixels. Two squares at the same place are equal if no channel (0–255) of their average colours differs by
 * more than this number.
 */
const FAINT = 24
/**
 * The maximum number of unequal squares in one `<figure>`. A picture shows many figures, and each figure has at least
 * 1,400 squares.
 */
const FEW = 8

let browser: Browser

beforeAll(async () => {
  browser = await chromium.launch(chromiumOptions(await browserPath('chromium')))
})

afterAll(() => browser?.close())

const SHEETS: [string, Sheet][] = [
  ['light-phone', { theme: 'light', lang: 'en', width: PHONE }],
  ['dark-desktop', { theme: 'dark', lang: 'en', width: DESKTOP }],
  ['right-to-left-phone', { theme: 'light', lang: 'ar', width: PHONE }],
]
const OTHER_SHEETS: [string, Sheet][] = [
  ['light-desktop', { theme: 'light', lang: 'en', width: DESKTOP }],
  ['dark-phone', { theme: 'dark', lang: 'en', width: PHONE }],
  ['right-to-left-desktop', { theme: 'dark', lang: 'ar', width: DESKTOP }],
]

test.each(process.env.FULL ? [...SHEETS, ...OTHER_SHEETS] : SHEETS)(
  '%s looks as it did',
  async (name, sheet) => {
    const page = await draw(browser, sheet)
    const file = new URL(`${name}.webp`, import.meta.url)
    const shot = await page.screenshot({ fullPage: true, animations: 'disabled' })
    const address = (type: string, bytes: Buffer) => `data:image/${type};base64,${bytes.toString('base64')}`
    const shown = address('png', shot)
    if (process.env.LOOKS === 'renew' || !existsSync(file)) {
      expect(process.env.LOOKS, 'There is no picture to compare with.').toBe('renew')
      writeFileSync(file, Buffer.from(await page.evaluate(halve, shown), 'base64'))
    }
    const others = await page.evaluate(compare, {
      shown,
      kept: address('webp', readFileSync(file)),
      square: SQUARE,
      faint: FAINT,
    })
    expect(Object.fromEntries(Object.entries(others).filter(([, count]) => count > FEW))).toEqual({})
    await page.close()
  },
)

const NAVY = 'body { background: #10294a; color: #e8eef7 }'

const HOSTILE = `
  :root { font-size: 62.5% }
  body { font-size: 1rem }
  figure, figure * { letter-spacing: 0.3em; word-spacing: 1em; text-transform: uppercase; text-align: end;
    text-indent: 2em; text-shadow: 1px 1px red; white-space: pre; line-height: 3; font-weight: 900; font-style: italic;
    cursor: wait; list-style: square; quotes: none; hyphens: auto; direction: rtl; writing-mode: vertical-rl }
  div, p, span, strong, form, label, input, button, a, bdi { display: none; float: left; margin: 2em; padding: 2em;
    border: 3px dashed red; background: red; position: fixed }
  figure, gateway-checkout { writing-mode: horizontal-tb }`

test('a page’s styles change only the font and the colour of the element’s text', async () => {
  const quiet = 'figcaption { display: none !important }'
  const sheet: Sheet = { theme: 'light', lang: 'en', width: DESKTOP }
  const shot = async (style: string) => {
    const page = await draw(browser, { ...sheet, style })
    const picture = await page.screenshot({ fullPage: true, animations: 'disabled' })
    await page.close()
    return picture
  }
  const [calm, loud] = [await shot(quiet), await shot(quiet + HOSTILE)]
  expect(loud.equals(calm)).toBe(true)
})

test.each<[string, Sheet, Parameters<Page['emulateMedia']>[0]]>([
  ['forced colours', { theme: 'light', lang: 'en', width: PHONE }, { forcedColors: 'active' }],
  ['a browser without color-mix', { theme: 'dark', lang: 'en', width: PHONE, unknown: 'color-mix' }, {}],
  ['a dark part of a light page', { theme: 'light', lang: 'en', width: PHONE, style: NAVY }, {}],
])('%s can be read', async (_, sheet, media) => {
  const page = await draw(browser, sheet)
  await page.emulateMedia(media)
  await page.evaluate(axe.source)
  // The sheet shows four forms of the same name. A page has one open.
  const rules = `{ 'landmark-unique': { enabled: false } }`
  const { violations }: AxeResults = await page.evaluate(
    `axe.run({ include: ['gateway-checkout'] }, { rules: ${rules} })`,
  )
  expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  await page.close()
})

test('a radius of 999 px makes pills of buttons, not of the card, which takes the page’s colours', async () => {
  const style = `gateway-checkout { --gateway-checkout-radius: 999px } ${NAVY}`
  const page = await draw(browser, { theme: 'light', lang: 'en', width: DESKTOP, style })
  const card = page.locator('gateway-checkout[state=expired] .card')
  expect(await card.evaluate((element) => getComputedStyle(element).borderTopLeftRadius)).toBe('20px')
  const [text, ground] = await card.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element)
    return [color, backgroundColor]
  })
  expect(text).toBe('rgb(232, 238, 247)')
  expect(ground).toMatch(/\/ 0\.04\)$/)
  const button = page.locator('gateway-checkout[state=idle] button').first()
  const { radius, height } = await button.evaluate((element) => ({
    radius: Number.parseFloat(getComputedStyle(element).borderTopLeftRadius),
    height: element.getBoundingClientRect().height,
  }))
  expect(radius).toBeGreaterThan(height / 2)
  await page.close()
})

test('nothing moves for shoppers who want less motion', async () => {
  const page = await draw(browser, { theme: 'light', lang: 'en', width: PHONE })
  const moving = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('gateway-checkout')].reduce(
        (count, { shadowRoot }) => count + (shadowRoot?.getAnimations().length ?? 0),
        0,
      ),
    )
  expect(await moving()).toBeGreaterThan(0)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  expect(await moving()).toBe(0)
  await page.close()
})

async function halve(address: string): Promise<string> {
  const image = Object.assign(new Image(), { src: address })
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), {
    width: image.width / 2,
    height: image.height / 2,
  })
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/webp', 0.8).replace(/.*,/, '')
}

interface Pictures {
  shown: string
  kept: string
  square: number
  faint: number
}

async function compare({ shown, kept, square, faint }: Pictures): Promise<Record<string, number>> {
  const whole = document.documentElement.getBoundingClientRect()
  const [width, height] = [Math.ceil(whole.width / square), Math.ceil(whole.height / square)]
  const squares = async (address: string) => {
    const image = Object.assign(new Image(), { src: address })
    await image.decode()
    const context = Object.assign(document.createElement('canvas'), { width, height }).getContext('2d')
    if (context === null) throw new Error('Nothing to draw on.')
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, width, height)
    return context.getImageData(0, 0, width, height).data
  }
  const [one, other] = await Promise.all([squares(shown), squares(kept)])
  const count = (figure: Element) => {
    const { left, top, right, bottom } = figure.getBoundingClientRect()
    let others = 0
    for (let y = Math.ceil(top / square); y < Math.floor(bottom / square); y++)
      for (let x = Math.ceil(left / square); x < Math.floor(right / square); x++) {
        const at = 4 * (y * width + x)
        if ([at, at + 1, at + 2].some((i) => Math.abs((one[i] ?? 0) - (other[i] ?? 0)) > faint)) others++
      }
    return others
  }
  return Object.fromEntries(
    [...document.querySelectorAll('figure')].map((figure) => [
      figure.querySelector('figcaption')?.textContent ?? '',
      count(figure),
    ]),
  )
}
