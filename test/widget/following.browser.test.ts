/** How the element keeps asking, comes back, and lets go. */

import { expect, test } from 'vitest'
import { calm, createTag, PAYER, shopPage } from '../support/shop-page.ts'

import type { CheckoutView } from '../../server/api/view.ts'

const PAID: Partial<CheckoutView> = { status: 801, outcome: 'paid', settled: true, amount_paid: '1500' }

test('asks nothing and keeps no timer while idle', async () => {
  const page = await shopPage()
  await page.later(3600)
  expect(page.till.requests).toEqual([])
  expect(page.clock.timers).toBe(0)
})

test('asks when the BFF says, one question at a time', async () => {
  const page = await shopPage()
  await page.press(/Pay/)
  await page.later(3)
  expect(page.till.requests).toHaveLength(2)
  await page.later(2)
  expect(page.till.requests).toHaveLength(2)
  const answer = page.till.hold()
  await page.later(1)
  expect(page.till.requests).toHaveLength(3)
  await page.later(20)
  expect(page.till.requests).toHaveLength(3)
  answer()
})

test('asks anew when somebody comes back to a question that hangs', async () => {
  const page = await shopPage()
  await page.press(/Pay/)
  page.till.failNext('silence')
  await page.later(3)
  expect(page.till.requests).toHaveLength(2)
  page.till.confirm(PAID)
  await page.later(5)
  window.dispatchEvent(new Event('focus'))
  await page.later(0)
  expect(page.till.requests).toHaveLength(2)
  await page.later(1)
  window.dispatchEvent(new Event('focus'))
  await page.later(0)
  expect(page.till.requests).toHaveLength(3)
  expect([page.tag.state, page.clock.timers]).toEqual(['paid', 0])
})

test('asks nothing while nobody looks, and at once when somebody does', async () => {
  const page = await shopPage()
  await page.press(/Pay/)
  page.around.hidden = true
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  await page.later(600)
  expect(page.till.requests).toHaveLength(1)
  page.till.confirm(PAID)
  page.around.hidden = false
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  await page.later(0)
  expect(page.tag.state).toBe('paid')
})

test('offline is said, waited for, and never a failed payment', async () => {
  const page = await shopPage()
  await page.press(/Pay/)
  page.around.onLine = false
  window.dispatchEvent(new Event('offline'))
  await page.later(600)
  expect(page.till.requests).toHaveLength(1)
  expect(page.status()).toContain('You seem to be offline.')
  expect(page.tag.state).toBe('waiting')
  page.till.confirm(PAID)
  page.around.onLine = true
  window.dispatchEvent(new Event('online'))
  await page.later(0)
  expect(page.tag.state).toBe('paid')
})

test.each([
  ['a broken line', () => 'network' as const],
  ['an HTML page', () => new Response('<h1>Bad gateway</h1>', { status: 502 })],
  ['a page that is no answer', () => new Response('{"hello": 1}')],
  ['a store that is down', () => ({ code: 'store_unavailable', retryable: true })],
  ['a checkout that was forgotten', () => ({ status: 404, code: 'unknown_checkout' })],
])('%s while following is still checking', async (_, failure) => {
  const page = await shopPage()
  await page.press(/Pay/)
  page.till.failNext(failure())
  await page.later(5)
  expect(page.tag.state).toBe('waiting')
  expect(page.status()).toContain('We are still checking.')
  expect(page.told).not.toContain('error')
  page.till.confirm(PAID)
  await page.later(5)
  expect(page.tag.state).toBe('paid')
})

test('an outcome it does not know is still being checked', async () => {
  const page = await shopPage()
  await page.press(/Pay/)
  page.till.failNext(Response.json({ ...page.till.view, outcome: 'half_paid', settled: true }))
  await page.later(5)
  expect(page.tag.state).toBe('waiting')
  page.till.confirm(PAID)
  await page.later(30)
  expect(page.tag.state).toBe('paid')
})

test('is not paid on a word that the gateway’s status does not bear out', async () => {
  const page = await shopPage()
  await page.press(/Pay/)
  page.till.confirm({ status: 803, outcome: 'paid', settled: true })
  await page.later(5)
  expect(page.tag.state).toBe('waiting')
  expect(page.told).not.toContain('paid')
})

test('never goes to an address that is not of the web', async () => {
  const page = await shopPage({
    attributes: { launch: 'redirect' },
    view: { redirect_url: 'javascript:alert(1)' },
  })
  await page.press(/Pay/)
  expect(page.around.left).toEqual([])
  expect(page.tag.state).toBe('error')
})

test('the address that the shopper comes back to is taken up and tidied', async () => {
  const page = await shopPage({ view: PAID, hash: '#gateway-checkout=checkout-1' })
  expect(page.tag.state).toBe('paid')
  expect(page.around.hash).toBe('')
  expect(page.told).toEqual(['change', 'paid', 'settled'])
})

test('of several tags, the one whose order it is takes the returning shopper', async () => {
  const page = await shopPage()
  const wrong = createTag({ ...PAYER, order: 'order-9' })
  const right = createTag(PAYER)
  page.around.hash = '#gateway-checkout=checkout-1'
  page.till.confirm(PAID)
  document.body.replaceChildren(wrong, right)
  await calm(right)
  expect([wrong.state, right.state]).toEqual(['idle', 'paid'])
})

test('a reload while waiting takes the checkout up again', async () => {
  const page = await shopPage()
  await page.press(/Pay/)
  page.till.confirm(PAID)
  const reloaded = createTag(PAYER)
  document.body.replaceChildren(reloaded)
  await calm(reloaded)
  expect(reloaded.state).toBe('paid')
})

test('a remembered checkout that is gone is forgotten without a word', async () => {
  const page = await shopPage({ remembers: 'checkout-gone' })
  expect(page.tag.state).toBe('idle')
  expect(page.told).toEqual([])
})

test('a checkout that the tag names and nobody knows is said', async () => {
  const page = await shopPage({ attributes: { 'checkout-id': 'checkout-gone' } })
  expect(page.tag.state).toBe('error')
  expect(page.status()).toContain('Payment not found')
})

test('off the page, nothing is asked and no timer runs; on it again, it goes on', async () => {
  const page = await shopPage()
  await page.press(/Pay/)
  page.tag.remove()
  await calm(page.tag)
  expect(page.clock.timers).toBe(0)
  await page.later(60)
  expect(page.till.requests).toHaveLength(1)
  page.till.confirm(PAID)
  document.body.append(page.tag)
  await page.later(1)
  expect(page.tag.state).toBe('paid')
})

test('moved within the page while it starts, it makes one checkout', async () => {
  const page = await shopPage()
  const answer = page.till.hold()
  page.tag.start()
  const elsewhere = document.createElement('main')
  document.body.append(elsewhere)
  elsewhere.append(page.tag)
  answer()
  await page.later(0)
  expect(page.tag.state).toBe('waiting')
  expect(page.till.requests).toHaveLength(1)
})

test('an answer to a checkout that was let go changes nothing', async () => {
  const page = await shopPage()
  const answer = page.till.hold()
  await page.press(/Pay/)
  page.tag.reset()
  answer()
  await page.later(0)
  expect(page.tag.state).toBe('idle')
  expect(page.around.popups).toMatchObject([{ closed: true }])
})

test('counts down by the server’s clock, whatever the device believes', async () => {
  const page = await shopPage()
  page.till.confirm({ expires_at: new Date(page.clock.now() + 90_000 + 7_200_000).toISOString() })
  page.till.failNext(
    Response.json({
      ...page.till.view,
      server_time: new Date(page.clock.now() + 7_200_000).toISOString(),
    }),
  )
  await page.press(/Pay/)
  expect(page.text()).toContain('Time left to pay: 1:30')
  await page.later(1)
  expect(page.text()).toContain('Time left to pay: 1:29')
})
