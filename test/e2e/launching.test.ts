/** The ways to the hosted page and back, and what a shopper does to them. */

import { afterAll, beforeAll, expect, inject, test } from 'vitest'
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

/** `same-origin` cuts the pop-up off from its opener, to which it then looks closed. The checkout goes on. */
const OPENER_POLICIES = [
  { shop: 'same-origin', hosted: 'unsafe-none', looksClosed: true },
  { shop: 'unsafe-none', hosted: 'same-origin', looksClosed: true },
]
const MORE_OPENER_POLICIES = [
  { shop: 'unsafe-none', hosted: 'unsafe-none', looksClosed: false },
  { shop: 'same-origin-allow-popups', hosted: 'unsafe-none', looksClosed: false },
  { shop: 'unsafe-none', hosted: 'same-origin-allow-popups', looksClosed: true },
]

test.each([...OPENER_POLICIES, ...(inject('isFull') ? MORE_OPENER_POLICIES : [])])(
  'a checkout is paid under Cross-Origin-Opener-Policy $shop on the shop and $hosted on the hosted page',
  async (policy) => {
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
  },
)
