import { afterAll, beforeAll, expect, test } from 'vitest'
import { STOPS } from './page-walk.ts'
import { openStoppedDemos } from './stopped-demo.ts'

const PHONE = { width: 320, height: 640 }
const LIMIT_MS = 300_000

/** The pages whose width is measured without FULL. */
const MEASURED = ['hosted-partial', 'return-partial', 'shop-developers', 'playground']

let demos: Awaited<ReturnType<typeof openStoppedDemos>>

beforeAll(async () => {
  demos = await openStoppedDemos()
}, LIMIT_MS)

afterAll(() => demos?.close())

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
