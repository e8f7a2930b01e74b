import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectLooks } from './pictures.ts'
import { STOPS } from './page-walk.ts'
import { openStoppedDemos } from './stopped-demo.ts'

const PHONE = { width: 320, height: 640 }
const DESKTOP = { width: 1280, height: 800 }
/** The stored pictures have half the size. */
const SCALE = 0.5
/** How many of 1,000 squares may differ: a picture of half the size loses parts of letters. A button is 60. */
const FEW_IN_1000 = 30
const LIMIT_MS = 300_000

const ON_PHONE = [
  ...'hosted-waiting hosted-prompted hosted-refused hosted-partial return-paid return-waiting'.split(' '),
  ...'shop-goods shop-details'.split(' '),
]
const ON_DESKTOP = [
  ...'hosted-failed hosted-stuck hosted-paid hosted-expired return-error shop-developers'.split(' '),
  ...'shop-paid playground'.split(' '),
]

/** The pages whose width is measured without FULL. */
const MEASURED = ['hosted-partial', 'return-partial', 'shop-developers', 'playground']

let demos: Awaited<ReturnType<typeof openStoppedDemos>>

beforeAll(async () => {
  demos = await openStoppedDemos()
}, LIMIT_MS)

afterAll(() => demos?.close())

test.runIf(process.env.FULL).each([
  ['phone', PHONE, 'light', ON_PHONE],
  ['desktop', DESKTOP, 'dark', ON_DESKTOP],
] as const)(
  'the pages around the element look as they did on a %s',
  async (_, viewport, colorScheme, names) => {
    const changed: string[] = []
    for (const { name, show } of STOPS.filter((stop) => names.includes(stop.name))) {
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
      changed.push(...(await expectLooks(page, `pages/${name}`, SCALE, { few: FEW_IN_1000 })))
      await context.close()
    }
    expect(changed).toEqual([])
  },
  LIMIT_MS,
)

test.each(['en', 'ar'])(
  'no page around the element is wider than a small phone, with text of twice the size: %s',
  async (lang) => {
    const context = await demos.browser.newContext({
      viewport: PHONE,
      bypassCSP: true,
    })
    const page = await context.newPage()
    const wide: string[] = []
    for (const { name, show } of STOPS) {
      if (!process.env.FULL && !MEASURED.includes(name)) continue
      await show(page, demos.fresh(), lang)
      await page.addStyleTag({ content: 'html:root { font-size: 200% !important }' })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > PHONE.width) wide.push(`${name}: ${width} px`)
    }
    await context.close()
    expect(wide).toEqual([])
  },
  LIMIT_MS,
)
