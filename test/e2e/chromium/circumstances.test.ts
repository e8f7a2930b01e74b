/** Circumstances that only Chromium's driver can put a shopper into: a phone, no click, no script. */

import { devices } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, Page } from 'playwright'
import type { Demo } from '../demo.ts'
import { openChromium } from '../browser/open.ts'
import { openDemo } from '../demo.ts'
import { enter, visit } from '../shopper.ts'

let demo: Demo
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([openDemo(), openChromium()])
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test('a phone goes to the hosted page and comes back', async () => {
  const shopper = await enter(await browser.newContext(devices['Pixel 7']), demo, { launch: 'auto' })
  const hosted = await shopper.press()
  expect(hosted.page).toBe(shopper.page)
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  expect(shopper.page.url()).not.toContain('#')
  await shopper.leave()
})

test('a blocked pop-up becomes a link', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  await startWithoutClick(shopper.page)
  await shopper.page.locator('gateway-checkout[state=blocked]').waitFor()
  await shopper.photograph('popup-blocked')
  const hosted = await shopper.follow()
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  await shopper.merchantReceives('fulfilled', 'checkout.paid')
  await shopper.leave()
})

test('without JavaScript a form pays, and ends at a page of the payment server', async () => {
  const shopper = await enter(await browser.newContext({ javaScriptEnabled: false }), demo)
  const { page } = shopper
  await page.getByLabel('Name').fill('Asha Mwangi')
  await page.getByLabel('E-mail').fill('asha@example.com')
  await page.getByLabel('Phone').fill('+254 700 000 003')
  await shopper.photograph('no-script')
  const hosted = await shopper.submit(/Pay/)
  await hosted.answer('Enter PIN and approve')
  await hosted.page.getByRole('link', { name: 'Back to the shop' }).click()
  await page.waitForURL(`${demo.bff}/checkout/return/*`)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await shopper.photograph('no-script-paid')
  await shopper.merchantReceives('fulfilled', 'checkout.paid')
  await shopper.leave()
})

/** What a merchant's script does that calls `start()` on its own: no browser counts that as a click. */
async function startWithoutClick(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const expression = `document.querySelector('gateway-checkout').start()`
  await devtools.send('Runtime.evaluate', { expression, userGesture: false })
  await devtools.detach()
}
