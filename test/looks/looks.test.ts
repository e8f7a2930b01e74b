import { afterAll, expect } from 'vitest'

import { test, theChromium } from '../e2e/worker.ts'
import { runAxe } from '../support/browsers/axe.ts'
import { contrastsOf } from './contrast.ts'
import { draw, openSheet } from './sheet.ts'

import type { Locator, Page } from 'playwright'

const PHONE = 320
const DESKTOP = 416

const browser = await theChromium()

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

const light = await draw(browser, { theme: 'light', lang: 'en', width: PHONE })
const navy = await draw(browser, {
  theme: 'light',
  lang: 'en',
  width: PHONE,
  style: `gateway-checkout { --gateway-checkout-radius: 999px } ${NAVY}`,
})
afterAll(async () => {
  await light.close()
  await navy.close()
})

test('a page’s styles change only the font and the colour of the element’s text', async () => {
  const style = `figcaption { display: none !important } ${HOSTILE}`
  const page = await draw(browser, { theme: 'light', lang: 'en', width: DESKTOP, style })
  const shot = () => page.screenshot({ fullPage: true, animations: 'disabled' })
  const loud = await shot()
  const styles = page.locator('head style')
  const text = (await styles.textContent()) ?? ''
  expect(text).toContain(HOSTILE)
  await styles.evaluate((element, rest) => (element.textContent = rest), text.replace(HOSTILE, ''))
  const calm = await shot()
  expect(loud.equals(calm)).toBe(true)
  await page.close()
})

test.each<[string, () => Promise<Page>]>([
  ['forced colours', () => light.emulateMedia({ forcedColors: 'active' }).then(() => light)],
  [
    'a browser without color-mix',
    () => draw(browser, { theme: 'dark', lang: 'en', width: PHONE, unknown: 'color-mix' }),
  ],
  ['a dark part of a light page', async () => navy],
])('%s can be read', async (_, open) => {
  const page = await open()
  // The other rules are tried in `widget/accessibility`.
  const found = await runAxe(page, { include: ['gateway-checkout'] }, { runOnly: ['color-contrast'] })
  expect(found.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([])
  await page.emulateMedia({ forcedColors: null })
})

test.each(['light', 'dark'] as const)(
  'the button and its focus can be seen, with an accent as dark as the text: %s',
  async (theme) => {
    const page = await browser.newPage()
    const style = 'gateway-checkout { --gateway-checkout-accent: #000 }'
    await openSheet(page, { theme, lang: 'en', width: PHONE, style })
    await page.evaluate(`situations.showSituations(['waiting.away'], {})`)
    const button = page.getByRole('button', { name: 'Go to the payment page' })
    await page.keyboard.press('Shift')
    await button.focus()
    const { text, outline } = await contrastsOf(button)
    expect(text).toBeGreaterThanOrEqual(4.5)
    expect(outline).toBeGreaterThanOrEqual(3)
    await page.close()
  },
)

test('in a dark theme, the ring of what is awaited and the line of a prompt differ from the card by 3 : 1', async () => {
  const page = await browser.newPage()
  await openSheet(page, { theme: 'dark', lang: 'en', width: PHONE })
  await page.evaluate(`situations.showSituations(['waiting.pin'], { help: '' })`)
  const tag = page.locator('gateway-checkout')
  const marks = await tag.evaluate(({ shadowRoot }) => {
    const ring = getComputedStyle(shadowRoot!.querySelector('[role=status]')!, '::before').borderTopColor
    const line = getComputedStyle(shadowRoot!.querySelector('.left')!).getPropertyValue('--good')
    return { ring, line }
  })
  const about = tag.locator('.about')
  for (const colour of Object.values(marks)) {
    await about.evaluate((element, outline) => (element.style.outlineColor = outline), colour)
    expect({ colour, ...(await contrastsOf(about)) }.outline).toBeGreaterThanOrEqual(3)
  }

  await page.close()
})

test('each situation that is named for a note shows the note', async () => {
  const page = await browser.newPage()
  await openSheet(page, { theme: 'light', lang: 'en', width: PHONE })
  await page.evaluate(`situations.showSituations(['waiting.offline', 'waiting.trouble'], {})`)
  const texts = await page.getByRole('status').allTextContents()
  expect(texts).toEqual([
    expect.stringContaining('You seem to be offline.'),
    expect.stringContaining('No news yet.'),
  ])
  await page.close()
})

test('in forced colours, what is like a link has no box, and the tile of the payee has an edge', async () => {
  await light.emulateMedia({ forcedColors: 'active' })
  await light.evaluate(
    `situations.showSituations(['paid.excess', 'waiting.checking'], { payee: 'Pwani Goods', help: 'tel:+254700000001' })`,
  )
  const paid = light.locator('gateway-checkout[state=paid]')
  const copy = paid.getByRole('button', { name: /Copy/ })
  await copy.waitFor()
  const edgeOf = (place: Locator) =>
    place.evaluate((element) => {
      const { borderTopColor, borderTopWidth } = getComputedStyle(element)
      return `${borderTopWidth} ${borderTopColor}`
    })
  expect(await edgeOf(copy)).toMatch(/^0px/)
  expect(await edgeOf(paid.getByRole('link').first())).toMatch(/^0px/)
  expect(await edgeOf(paid.locator('.face'))).toBe('1px rgb(0, 0, 0)')
  await light.evaluate(`situations.showAllSituations('en')`)
  await light.emulateMedia({ forcedColors: null })
})

test('a radius of 999 px makes pills of buttons, not of the card, which takes the page’s colours', async () => {
  const card = navy.locator('gateway-checkout[state=expired] .card')
  expect(await card.evaluate((element) => getComputedStyle(element).borderTopLeftRadius)).toBe('20px')
  const [text, ground] = await card.evaluate((element) => {
    const { color, backgroundColor } = getComputedStyle(element)
    return [color, backgroundColor]
  })
  expect(text).toBe('rgb(232, 238, 247)')
  expect(ground).toMatch(/\/ 0\.04\)$/)
  const button = navy.locator('gateway-checkout[state=idle] button').first()
  const { radius, height } = await button.evaluate((element) => ({
    radius: Number.parseFloat(getComputedStyle(element).borderTopLeftRadius),
    height: element.getBoundingClientRect().height,
  }))
  expect(radius).toBeGreaterThan(height / 2)
})

test('nothing moves for shoppers who want less motion', async () => {
  const moving = () =>
    light.evaluate(() =>
      [...document.querySelectorAll('gateway-checkout')].reduce(
        (count, { shadowRoot }) => count + (shadowRoot?.getAnimations().length ?? 0),
        0,
      ),
    )
  expect(await moving()).toBeGreaterThan(0)
  await light.emulateMedia({ reducedMotion: 'reduce' })
  expect(await moving()).toBe(0)
})
