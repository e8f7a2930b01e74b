/** What axe finds on the pages that a shopper passes, in light and in dark: only Chromium's driver can prefer one. */

import axe from 'axe-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright'
import type { Demo } from '../demo.ts'
import { openChromium } from '../browser/open.ts'
import { openDemo } from '../demo.ts'
import { enter } from '../shopper.ts'

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([openDemo(), openChromium()])
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each([
  ['light', 360],
  ['dark', 1280],
] as const)(
  'no page on the way to a payment fails WCAG 2.2 AA in %s at %i pixels',
  async (colorScheme, width) => {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
    const shopper = await enter(context, demo, { launch: 'popup', payer: 'asked' })
    expect(await violations(shopper.page)).toEqual([])

    await shopper.tag.getByRole('button').click()
    await shopper.tag.locator('[part=input][autocomplete=name]').fill('Asha Mwangi')
    await shopper.tag.locator('[part=input][autocomplete=email]').fill('asha@example.com')
    await shopper.tag.locator('[part=input][autocomplete=tel]').fill('0700000004')
    expect(await violations(shopper.page)).toEqual([])

    const hosted = await shopper.press()
    expect(await violations(hosted.page)).toEqual([])
    await hosted.pay('Pay a part', 600)
    await shopper.sees('partial', /600/)
    expect(await violations(shopper.page)).toEqual([])
    expect(await violations(hosted.page)).toEqual([])

    await hosted.answer('Enter PIN and approve')
    await hosted.back()
    await shopper.sees('paid', /1,500/)
    expect(await violations(shopper.page)).toEqual([])
    await shopper.leave()
  },
)

async function violations(page: Page): Promise<string[]> {
  await page.waitForLoadState()
  await page.evaluate(axe.source)
  // The hosted page looks again by itself because it runs no script; what is timed is the session, not the reading.
  const rules = { 'meta-refresh': { enabled: false } }
  const runOnly = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
  const results: AxeResults = await page.evaluate(`axe.run(${JSON.stringify({ runOnly, rules })})`)
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
