/** The ways to the hosted page and back, and what a shopper does to them. */

import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Browser, Page } from './browser.ts'
import type { Visit } from './shopper.ts'
import type { Street } from './street.ts'
import { openBrowser } from './browser/open.ts'
import { scriptTag, tag } from './pages.ts'
import { arrive, visit } from './shopper.ts'
import { openStreet } from './street.ts'

const PATIENCE = { timeout: 20_000, interval: 50 }

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

test('a desktop keeps the shop in sight beside a pop-up, which a second press does not open again', async () => {
  const shopper = await visit(browser, market, { launch: 'auto' })
  const hosted = await shopper.press()
  expect(hosted.page).not.toBe(shopper.page)
  await shopper.tag.getByRole('button').click()
  expect(await shopper.windows()).toBe(2)
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

/** What a framework does to find effects that cannot be undone: it mounts, unmounts and mounts, and then anew. */
const MOUNT_TWICE = `
  const tag = document.querySelector('gateway-checkout')
  tag.remove()
  document.body.append(tag)
  tag.replaceWith(tag.cloneNode(true))`

const PRESS_AND_MOUNT = `(() => {
  const tag = document.querySelector('gateway-checkout')
  for (let click = 0; click < 20; click++) tag.shadowRoot.querySelector('button').click()
  tag.remove()
  document.body.append(tag)
})()`

test('twenty clicks in each of two tabs, a reload and double mounts are one checkout at the gateway', async () => {
  const { bff, pages, gateway, sandbox } = market
  const address = pages.put(
    (order) => `<script>settled = 0; addEventListener('checkout-settled', () => (settled += 1))</script>
      ${scriptTag(bff)}${tag(bff, order, 'launch="redirect"')}<script type="module">${MOUNT_TWICE}</script>`,
  )
  const before = await market.initiated()
  const open = gateway.hold()
  const press = async (shopper: Visit<Page>) => {
    await shopper.tag.getByRole('button').click()
    await shopper.page.evaluate(PRESS_AND_MOUNT)
  }
  const first = await arrive(await browser.newContext(), market, address)
  await press(first)
  const second = await first.again()
  await press(second)
  await first.page.reload()
  await press(first)
  open()

  for (const { page } of [first, second])
    await expect.poll(() => page.url(), PATIENCE).toContain(`${sandbox}/pay/`)
  const [merchant_transaction_id = '', ...others] = (await market.initiated()).slice(before.length)
  expect(others).toEqual([])
  await market.act({ merchant_transaction_id }, 'approve')
  for (const shopper of [first, second]) {
    await shopper.page.reload()
    await shopper.page.getByRole('link', { name: /Back to the shop/ }).click()
    await shopper.sees('paid', /1,500/, { merchant_transaction_id, attempt: 1 })
    expect(await shopper.page.evaluate('settled')).toBe(1)
    // A tab behind another asks nothing.
    await shopper.page.close()
  }
  await second.leave()
  await first.leave()
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
