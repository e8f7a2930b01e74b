/** The ways to the hosted page and back, and what a shopper does to them. */

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Browser } from './browser.ts'
import type { Street } from './street.ts'
import { openBrowser } from './browser/open.ts'
import { scriptTag, tag } from './pages.ts'
import { arrive, visit } from './shopper.ts'
import { openStreet } from './street.ts'

const engine = inject('engine')
let market: Street
let browser: Browser

beforeAll(async () => {
  ;[market, browser] = await Promise.all([openStreet(), openBrowser(engine)])
})

afterAll(async () => {
  await browser?.close()
  await market?.close()
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

test('a closed pop-up ends nothing', async () => {
  const shopper = await visit(browser, market, { launch: 'popup' })
  const first = await shopper.press()
  await first.page.close()
  await shopper.hears(/^checkout-close/)
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
  expect(await other.page.url()).toBe(await hosted.page.url())
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
  await shopper.photograph(`${engine}-details-sw`)
  const hosted = await shopper.press()
  expect(await hosted.page.getByRole('textbox', { name: /Phone number/ }).inputValue()).toContain(
    '254700000002',
  )
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  await shopper.photograph(`${engine}-paid-sw`)
  await shopper.leave()
})

/** It cuts the pop-up off, which then looks closed while it is open. The payment is none the worse for it. */
describe.each([
  { shop: 'unsafe-none', hosted: 'unsafe-none', looksClosed: false },
  { shop: 'same-origin', hosted: 'unsafe-none', looksClosed: true },
  { shop: 'same-origin-allow-popups', hosted: 'unsafe-none', looksClosed: false },
  { shop: 'unsafe-none', hosted: 'same-origin', looksClosed: true },
  { shop: 'unsafe-none', hosted: 'same-origin-allow-popups', looksClosed: true },
])('Cross-Origin-Opener-Policy: $shop on the shop, $hosted on the hosted page', (policy) => {
  test('is paid in the end', async () => {
    const { bff, pages, gateway } = market
    gateway.headers = { 'cross-origin-opener-policy': policy.hosted }
    const address = pages.put((order) => scriptTag(bff) + tag(bff, order, 'launch="popup"'), {
      'cross-origin-opener-policy': policy.shop,
    })
    const shopper = await arrive(await browser.newContext(), market, address)
    const hosted = await shopper.press()
    await shopper.sees('waiting', policy.looksClosed ? /Not confirmed yet/ : /./)
    await hosted.answer('Enter PIN and approve')
    await hosted.back()
    await shopper.sees('paid', /1,500/, { status: 801, attempt: 1 })
    await shopper.leave()
  })
})
