/** The ways to the hosted page and back, and what a shopper does to them. */

import { devices } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContextOptions } from 'playwright'
import type { Market } from './market.ts'
import { openMarket } from './market.ts'
import { openBrowser, visit } from './shopper.ts'

const PHONE: BrowserContextOptions = devices['Pixel 7'] ?? {}

let market: Market
let browser: Browser

beforeAll(async () => {
  ;[market, browser] = await Promise.all([openMarket(), openBrowser()])
})

afterAll(async () => {
  await browser?.close()
  await market?.close()
})

test('a phone goes to the hosted page and comes back', async () => {
  const shopper = await visit(browser, market, { launch: 'auto', context: PHONE })
  const hosted = await shopper.press()
  expect(hosted.page).toBe(shopper.page)
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  expect(shopper.page.url()).not.toContain('#')
  await shopper.leave()
})

test('a desktop keeps the shop in sight beside a pop-up', async () => {
  const shopper = await visit(browser, market, { launch: 'auto' })
  const hosted = await shopper.press()
  expect(hosted.page).not.toBe(shopper.page)
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  await shopper.leave()
})

test('a blocked pop-up becomes a link', async () => {
  const shopper = await visit(browser, market, { launch: 'popup' })
  await shopper.startWithoutClick()
  await shopper.page.locator('gateway-checkout[state=blocked]').waitFor()
  await shopper.photograph('popup-blocked')
  const hosted = await shopper.follow()
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  await shopper.merchantHears('fulfilled', 'checkout.paid')
  await shopper.leave()
})

test('a closed pop-up ends nothing', async () => {
  const shopper = await visit(browser, market, { launch: 'popup' })
  const first = await shopper.press()
  await first.page.close()
  await shopper.page.locator('#events').getByText('checkout-close').waitFor()
  const again = await shopper.press()
  await again.answer('Enter PIN and approve')
  await again.back()
  expect(await shopper.sees('paid', /1,500/)).toMatchObject({ attempt: 1 })
  await shopper.leave()
})

test('a reload takes the checkout up again', async () => {
  const shopper = await visit(browser, market, { launch: 'popup' })
  const hosted = await shopper.press()
  const { checkout_id } = await shopper.sees('waiting', /./)
  await shopper.page.reload()
  expect(await shopper.sees('waiting', /./)).toMatchObject({ checkout_id })
  await hosted.answer('Enter PIN and approve')
  expect(await shopper.sees('paid', /1,500/)).toMatchObject({ checkout_id })
  await shopper.leave()
})

test('a second window pays the same checkout', async () => {
  const shopper = await visit(browser, market, { launch: 'redirect' })
  const second = await shopper.again()
  const [hosted, other] = [await shopper.press(), await second.press()]
  expect(other.page.url()).toBe(hosted.page.url())
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  await shopper.merchantHears('fulfilled', 'checkout.paid')
  await second.leave()
  await shopper.leave()
})

test('a payer whom the shop does not know is asked, in Swahili, with a national number', async () => {
  const shopper = await visit(browser, market, { launch: 'popup', payer: 'asked', lang: 'sw' })
  await shopper.tag.getByRole('button').click()
  await shopper.tag.locator('[part=input][autocomplete=name]').fill('Juma Otieno')
  await shopper.tag.locator('[part=input][autocomplete=email]').fill('juma@example.com')
  await shopper.tag.locator('[part=input][autocomplete=tel]').fill('0700 000 002')
  await shopper.photograph('details-sw')
  const hosted = await shopper.press()
  expect(await hosted.page.getByLabel('Phone number').inputValue()).toContain('254700000002')
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  await shopper.photograph('paid-sw')
  await shopper.leave()
})

test('without JavaScript a form pays, and ends at a page of the payment server', async () => {
  const shopper = await visit(browser, market, { context: { javaScriptEnabled: false } })
  const { page } = shopper
  await page.getByLabel('Name').fill('Asha Mwangi')
  await page.getByLabel('E-mail').fill('asha@example.com')
  await page.getByLabel('Phone').fill('+254 700 000 003')
  await shopper.photograph('no-script')
  const hosted = await shopper.submit('Pay')
  await hosted.answer('Enter PIN and approve')
  await hosted.page.getByRole('link', { name: 'Back to the shop' }).click()
  await page.waitForURL(`${market.bff}/checkout/return/*`)
  await page.getByRole('heading', { name: 'Paid' }).waitFor()
  await shopper.photograph('no-script-paid')
  await shopper.merchantHears('fulfilled', 'checkout.paid')
  await shopper.leave()
})
