import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectLooks } from './pictures.ts'
import { STOPS } from './page-walk.ts'
import { openStoppedDemos } from './stopped-demo.ts'
import type { Locator } from 'playwright'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }
/** The stored pictures of pages have half the size. Those of buttons have the full size, for the thin outline. */
const SCALE = 0.5
/** How many of 1,000 squares may differ: a picture of half the size loses parts of letters. A button is 60. */
const FEW_IN_1000 = 30
/** Space around a button, for its outline, in CSS pixels. */
const MARGIN = 8
const LIMIT_MS = 300_000
/** The pages whose pictures are compared without FULL. */
const SAMPLE = ['hosted-prompted', 'return-paid', 'shop-goods']
/** The pages with pictures of their button under the mouse and in focus. */
const PRESSED = ['hosted-waiting', 'hosted-prompted', 'return-waiting', 'shop-goods', 'playground-idle']

let demos: Awaited<ReturnType<typeof openStoppedDemos>>

beforeAll(async () => {
  demos = await openStoppedDemos()
}, LIMIT_MS)

afterAll(() => demos?.close())

test.each([
  ['phone', PHONE, 'light'],
  ['desktop', DESKTOP, 'dark'],
] as const)(
  'every page around the element looks as it did on a %s',
  async (device, viewport, colorScheme) => {
    const changed: string[] = []
    for (const { name, button, show } of STOPS) {
      if (!process.env.FULL && !SAMPLE.includes(name)) continue
      const demo = demos.fresh()
      // The shop remembers the events of an order, so each page is opened by another visitor.
      const context = await demos.browser.newContext({
        viewport,
        colorScheme,
        timezoneId: 'UTC',
        bypassCSP: true,
      })
      const page = await context.newPage()
      await page.clock.setFixedTime(demo.now())
      await show(page, demo, 'en')
      changed.push(...(await expectLooks(page, `pages/${name}-${device}`, SCALE, { few: FEW_IN_1000 })))
      if (button !== null && PRESSED.includes(name))
        changed.push(...(await expectButtonLooks(page.locator(button).first(), `pages/${name}`, device)))
      await context.close()
    }
    expect(changed).toEqual([])
  },
  LIMIT_MS,
)

/** Compares the button under the mouse and in focus. */
async function expectButtonLooks(button: Locator, name: string, device: string): Promise<string[]> {
  const page = button.page()
  // The whole page is visible, so that nothing scrolls between the measurement and the picture.
  const [width, height] = await page.evaluate(() => [innerWidth, document.documentElement.scrollHeight])
  await page.setViewportSize({ width: width ?? 0, height: height ?? 0 })
  await button.hover()
  const clip = await button.evaluate((element, margin) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    return {
      x: Math.floor(x) - margin,
      y: Math.floor(y) - margin,
      width: Math.ceil(width) + 2 * margin,
      height: Math.ceil(height) + 2 * margin,
    }
  }, MARGIN)
  const hovered = await expectLooks(page, `${name}-hover-${device}`, 1, { clip })
  await page.mouse.move(0, 0)
  // Focus after a key is shown, and the playground keeps focus away from the element until a key is pressed.
  await page.keyboard.press('Shift')
  await button.focus()
  return [...hovered, ...(await expectLooks(page, `${name}-focus-${device}`, 1, { clip }))]
}
