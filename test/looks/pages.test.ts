import { expect, test } from 'vitest'

import { openChromium } from '../e2e/browser/open.ts'
import { openAll, openDemo } from '../e2e/demo.ts'
import { pageStates } from './page-states.ts'

const PHONE = { width: 320, height: 640 }
const LIMIT_MS = 300_000

const [demo, browser] = await openAll(openDemo(), openChromium())

/** The pages that are measured without FULL. */
const SAMPLE = ['hosted-partial', 'return-partial', 'shop-developers', 'playground']

test.each(['en', 'ar'])(
  'no page around the element is wider than a small phone, with text of twice the size: %s',
  async (lang) => {
    const page = await browser.newPage({ viewport: PHONE, bypassCSP: true })
    const wide: string[] = []
    for (const [name, show] of Object.entries(pageStates(demo))) {
      if (!process.env.FULL && !SAMPLE.includes(name)) {
        continue
      }
      // The hosted page has one language.
      if (lang !== 'en' && name.startsWith('hosted-')) {
        continue
      }

      await show(page, lang)
      await page.addStyleTag({ content: 'html:root { font-size: 200% !important }' })
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      if (width > PHONE.width) {
        wide.push(`${name}: ${width} px`)
      }
    }

    await page.close()
    expect(wide).toEqual([])
  },
  LIMIT_MS,
)
