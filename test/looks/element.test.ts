import { expect } from 'vitest'

import { test, theChromium } from '../e2e/worker.ts'
import { expectLooks } from './pictures.ts'
import { openSheet } from './sheet.ts'

import type { Page } from 'playwright'

interface Picture {
  situation: string
  theme?: 'dark'
  attributes?: Record<string, string>
  /** What the shopper does before the picture. */
  act?: (page: Page) => Promise<unknown>
}

const button = (page: Page) => page.locator('gateway-checkout button').first()

/** Each look of the element once, in light or in dark. */
const PICTURES: Record<string, Picture> = {
  ready: { situation: 'idle.ready' },
  hover: { situation: 'idle.ready', act: (page) => button(page).hover() },
  active: {
    situation: 'idle.ready',
    theme: 'dark',
    async act(page) {
      await button(page).hover()
      await page.mouse.down()
    },
  },
  focus: { situation: 'idle.ready', act: focus },
  details: { situation: 'details.nobody' },
  mistaken: { situation: 'details.mistaken', theme: 'dark' },
  busy: { situation: 'starting.asked', theme: 'dark' },
  blocked: { situation: 'blocked.popup', theme: 'dark' },
  waiting: { situation: 'waiting.open' },
  'waiting-focus': { situation: 'waiting.open', theme: 'dark', act: focus },
  prompt: { situation: 'waiting.prompted' },
  'qr-code': { situation: 'waiting.away', act: openCode },
  overlay: {
    situation: 'waiting.open',
    attributes: { overlay: '' },
    act: (page) => page.locator('gateway-checkout dialog[open]').waitFor(),
  },
  warning: {
    situation: 'waiting.trouble',
    theme: 'dark',
    act: (page) => page.getByText('No news yet').waitFor(),
  },
  paid: { situation: 'paid.full' },
  unpaid: { situation: 'unpaid.wrong_pin' },
  expired: { situation: 'expired.session', theme: 'dark' },
  partial: { situation: 'partial.open' },
  'right-to-left': {
    situation: 'partial.open',
    attributes: { lang: 'ar' },
    act: (page) => page.locator('gateway-checkout progress').waitFor(),
  },
  jammed: { situation: 'jammed.held', theme: 'dark' },
  review: { situation: 'review.short', theme: 'dark' },
}

/** The pictures that are compared without FULL. */
const SAMPLE = ['ready', 'waiting', 'paid', 'mistaken']
const LIMIT_MS = 300_000
// A page of this width offers the code for the phone. The element has the width of a phone.
const DESKTOP = { width: 800, height: 480 }
const WIDTH = 352
const STYLE = `body { display: block; box-sizing: border-box; inline-size: ${WIDTH}px; margin: 0; padding: 16px } gateway-checkout::part(phone) { display: block }`

const browser = await theChromium()

test.each(['light', 'dark'] as const)(
  'the element looks as it did in %s, at full size',
  async (sheetTheme) => {
    const page = await browser.newPage({ viewport: DESKTOP, timezoneId: 'UTC' })
    await openSheet(page, { theme: sheetTheme, lang: 'en', width: 320, style: STYLE })
    const changed: string[] = []
    for (const [name, { situation, theme = 'light', attributes = {}, act }] of Object.entries(PICTURES)) {
      if (theme !== sheetTheme || !(process.env.FULL || SAMPLE.includes(name))) {
        continue
      }

      await page.evaluate(
        `situations.showSituation('${situation}', ${JSON.stringify(attributes)}).then(() => {})`,
      )
      await act?.(page)
      const height = await page.evaluate(() => document.body.getBoundingClientRect().height)
      // The overlay covers the whole page.
      const clip =
        attributes.overlay === undefined ? { x: 0, y: 0, width: WIDTH, height: Math.ceil(height) } : undefined
      changed.push(...(await expectLooks(page, `element/${name}`, 1, { clip })))
      await page.mouse.up()
      await page.mouse.move(0, 0)
    }

    await page.close()
    expect(changed).toEqual([])
  },
  LIMIT_MS,
)

/** Focuses the button after a key, so that the focus is shown. */
async function focus(page: Page): Promise<void> {
  await page.keyboard.press('Shift')
  await button(page).focus()
}

async function openCode(page: Page): Promise<void> {
  await page.locator('gateway-checkout [part=phone] summary').click()
  await page.locator('gateway-checkout [part=phone] svg').waitFor()
}
