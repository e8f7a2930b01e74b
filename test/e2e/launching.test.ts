/** Opening the hosted page and coming back, as each engine does it. */

import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { Browser } from './browser.ts'
import type { DemoWithPages } from './demo-with-pages.ts'
import { openBrowser } from './browser/open.ts'
import { scriptTag, tag } from './pages.ts'
import { arrive, visit } from './shopper.ts'
import { openDemoWithPages } from './demo-with-pages.ts'

const engine = inject('engine')
let demo: DemoWithPages
let browser: Browser

beforeAll(async () => {
  ;[demo, browser] = await Promise.all([openDemoWithPages(), openBrowser(engine)])
})

afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test('on a desktop a pop-up opens beside the shop, and a second press opens no other', async () => {
  const shopper = await visit(browser, demo, { launch: 'auto' })
  const hosted = await shopper.press()
  expect(hosted.page).not.toBe(shopper.page)
  await shopper.tag.getByRole('button').click()
  expect(await shopper.windows()).toBe(2)
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  await shopper.leave()
})

test('after its pop-up is closed, a checkout can be opened again and paid', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const first = await shopper.press()
  await first.page.close()
  await shopper.hears(/^checkout-close/)
  const again = await shopper.press()
  await again.answer('Enter PIN and approve')
  await again.back()
  expect(await shopper.sees('paid', /1,500/)).toMatchObject({ attempt: 1 })
  await shopper.leave()
})

test('a page that is reloaded continues its checkout', async () => {
  const shopper = await visit(browser, demo, { launch: 'popup' })
  const hosted = await shopper.press()
  const { checkout_id } = await shopper.sees('waiting', /./)
  await shopper.page.reload()
  expect(await shopper.sees('waiting', /./)).toMatchObject({ checkout_id })
  await hosted.answer('Enter PIN and approve')
  expect(await shopper.sees('paid', /1,500/)).toMatchObject({ checkout_id })
  await shopper.leave()
})

test('a second window pays the same checkout', async () => {
  const shopper = await visit(browser, demo, { launch: 'redirect' })
  const second = await shopper.again()
  const [hosted, other] = [await shopper.press(), await second.press()]
  expect(await other.page.url()).toBe(await hosted.page.url())
  await hosted.answer('Enter PIN and approve')
  await hosted.back()
  await shopper.sees('paid', /1,500/)
  await shopper.merchantReceives('fulfilled', 'checkout.paid')
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
    const { bff, pages, gateway } = demo
    gateway.headers = { 'cross-origin-opener-policy': policy.hosted }
    const address = pages.put((order) => scriptTag(bff) + tag(bff, order, 'launch="popup"'), {
      'cross-origin-opener-policy': policy.shop,
    })
    const shopper = await arrive(await browser.newContext(), demo, address)
    const hosted = await shopper.press()
    await shopper.sees('waiting', policy.looksClosed ? /Not confirmed yet/ : /./)
    await hosted.answer('Enter PIN and approve')
    await hosted.back()
    await shopper.sees('paid', /1,500/, { status: 801, attempt: 1 })
    await shopper.leave()
  },
)
