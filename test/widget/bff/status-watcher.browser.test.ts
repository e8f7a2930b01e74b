import { expect, test } from 'vitest'

import { PAID, PARTIAL } from '../../support/worlds/scripted-bff.ts'
import { calm, createTag, shopPage, startedPage } from '../../support/worlds/shop-page.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { ShopPage } from '../../support/worlds/shop-page.ts'

async function backByButton(page: ShopPage, meanwhile = () => {}): Promise<string[]> {
  const before = page.bff.requests.length
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  page.around.hidden = true
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  meanwhile()
  page.around.hidden = false
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await page.later(0.3)
  return page.bff.requests.slice(before).map(({ method, path }) => `${method} ${path}`)
}

const STATUS = 'GET /checkout/status/checkout-01-of-the-tests'
const INITIATE = 'POST /checkout/initiate'

test('a page cached while waiting is current after one poll', async () => {
  const page = await startedPage({ attributes: { launch: 'redirect' } })
  expect(await backByButton(page, () => page.bff.confirm(PAID))).toEqual([STATUS])
  expect(page.tag.state).toBe('paid')
  expect(page.events.filter((event) => event === 'settled')).toHaveLength(1)
})

test('a page kept once it is paid asks once and tells nothing again', async () => {
  const page = await startedPage({ attributes: { launch: 'redirect' } })
  await page.confirm(PAID)
  const before = [...page.events]
  expect(await backByButton(page)).toEqual([STATUS])
  expect(page.events).toEqual(before)
})

test('a page whose browser forbids streams polls, and shows what is confirmed', async () => {
  const page = await startedPage({ line: 'forbidden' })
  const asked = page.bff.requests.length
  await page.later(5)
  expect(page.bff.requests.length).toBeGreaterThan(asked)
  await page.confirm(PAID)
  expect(page.tag.state).toBe('paid')
})

const REVERSED = { status: 840, outcome: 'reversed', settled: true } as const

test('a page that is open at paid hears within a minute that it is reversed', async () => {
  const page = await startedPage()
  await page.confirm(PAID)
  const asked = page.bff.requests.length
  page.bff.confirm(REVERSED)
  await page.later(58)
  expect({ state: page.tag.state, requests: page.bff.requests.length }).toEqual({
    state: 'paid',
    requests: asked,
  })
  await page.later(2)
  expect(page.tag.state).toBe('reversed')
  expect(page.around.popups).toMatchObject([{ closed: false }])
  expect(page.events).toEqual(['open', 'change', 'paid', 'settled', 'change'])
})

test('a paid page asks at once when it is focused, and not while it is hidden', async () => {
  const page = await startedPage()
  await page.confirm(PAID)
  page.around.hidden = true
  document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  const asked = page.bff.requests.length
  await page.later(3600)
  expect(page.bff.requests).toHaveLength(asked)
  page.bff.confirm(REVERSED)
  page.around.hidden = false
  window.dispatchEvent(new Event('focus'))
  await page.later(0)
  expect(page.tag.state).toBe('reversed')
})

test('a payment is confirmed where the browser says that it is offline, and the payment server answers', async () => {
  const page = await shopPage()
  page.around.onLine = false
  await page.press(/Pay/)
  window.dispatchEvent(new Event('offline'))
  await page.later(5)
  expect(page.text()).not.toContain('offline')
  page.bff.failNext('network')
  await page.later(5)
  expect(page.text()).toContain('You seem to be offline.')
  await page.confirm(PAID)
  expect(page.tag.state).toBe('paid')
})

test('a page left during the start requests the same checkout again, without an error event', async () => {
  const page = await shopPage({ attributes: { launch: 'redirect' } })
  const answer = page.bff.hold()
  await page.press(/Pay/)
  expect(await backByButton(page, answer)).toEqual([INITIATE])
  expect(page.events).toEqual(['open'])
  expect(page.around.left).toHaveLength(1)
})

test('a page left during the start closes the empty pop-up, and opens another on return', async () => {
  const page = await shopPage()
  const answer = page.bff.hold()
  await page.press(/Pay/)
  expect(await backByButton(page, answer)).toEqual([INITIATE])
  expect(page.around.popups).toMatchObject([{ closed: true, address: '' }])
  await page.press(/Show the payment window/)
  expect(page.around.popups).toHaveLength(2)
})

test("a checkout in the address hides the button until it is known not to be the order's", async () => {
  const page = await shopPage()
  page.bff.failNext({ code: 'unknown_checkout', retryable: false })
  const answer = page.bff.hold()
  page.around.hash = '#gateway-checkout-checkout-02-of-the-tests'
  page.tag.remove()
  document.body.append(page.tag)
  await expect.poll(() => page.tag.state).toBe('waiting')
  await page.tag.updateComplete
  page.tag.start()
  expect(page.status()).toBe('Checking your payment Please do not pay again.')
  expect(page.tag.shadowRoot?.querySelector('button')?.hidden).toBe(true)
  answer()
  await expect.poll(() => page.tag.state).toBe('idle')
  await page.tag.updateComplete
  expect({ status: page.status(), text: page.text(), events: page.events }).toEqual({
    status: '',
    text: 'Pay',
    events: [],
  })
})

test('an anchor of the page that begins alike is left alone', async () => {
  const page = await shopPage({ hash: '#gateway-checkout-questions' })
  expect({ hash: page.around.hash, requests: page.bff.requests, state: page.tag.state }).toEqual({
    hash: '#gateway-checkout-questions',
    requests: [],
    state: 'idle',
  })
})

test('the element sends no request and has no timer while idle', async () => {
  const page = await shopPage()
  await page.later(3600)
  expect(page.bff.requests).toEqual([])
  expect(page.clock.timers).toBe(0)
})

test('the element never navigates to a URL that is not http or https', async () => {
  const page = await startedPage({
    attributes: { launch: 'redirect' },
    view: { redirect_url: 'javascript:alert(1)' },
  })
  expect(page.around.left).toEqual([])
  expect(page.tag.state).toBe('error')
})

test('an answer for a checkout that was reset changes nothing', async () => {
  const page = await shopPage()
  const answer = page.bff.hold()
  await page.press(/Pay/)
  page.tag.reset()
  answer()
  await page.later(0)
  expect(page.tag.state).toBe('idle')
  expect(page.around.popups).toMatchObject([{ closed: true }])
})

test('the element counts down by the server’s clock, whatever the device believes', async () => {
  const page = await shopPage()
  page.bff.confirm({ expires_at: new Date(page.clock.now() + 90_000 + 7_200_000).toISOString() })
  page.bff.failNext(
    Response.json({
      ...page.bff.view,
      server_time: new Date(page.clock.now() + 7_200_000).toISOString(),
    }),
  )
  await page.press(/Pay/)
  expect(page.text()).toContain('1:30')
  await page.later(1)
  expect(page.text()).toContain('1:29')
})

const STREAM = '/checkout/status/checkout-01-of-the-tests/stream'

async function openPageWithStream(): Promise<ShopPage> {
  const page = await startedPage({ line: 'open' })
  expect(page.streams.open).toBe(1)
  return page
}

async function waitForState({ tag }: ShopPage, state: CheckoutView['outcome']): Promise<void> {
  await expect.poll(() => tag.state).toBe(state)
}

test('the element is updated by one stream without polls, and closes it at the end', async () => {
  const page = await openPageWithStream()
  await page.later(600)
  expect(page.streams.opened).toEqual([STREAM])
  page.bff.confirm(PARTIAL)
  page.streams.tell()
  await waitForState(page, 'partial')
  page.bff.confirm(PAID)
  page.streams.tell()
  await waitForState(page, 'paid')
  expect(page.events).toEqual(['open', 'change', 'partial', 'change', 'paid', 'settled'])
  expect(page.bff.requests).toHaveLength(1)
  expect({ open: page.streams.open, timers: page.clock.timers }).toEqual({ open: 0, timers: 1 })
})

test('a returning page polls once, and opens a stream only for open checkouts', async () => {
  const over = await shopPage({
    line: 'open',
    view: PAID,
    hash: '#gateway-checkout-checkout-01-of-the-tests',
  })
  await waitForState(over, 'paid')
  expect(over.streams.opened).toEqual([])
  const open = await shopPage({ line: 'open', remembers: 'checkout-01-of-the-tests' })
  await waitForState(open, 'waiting')
  expect(open.bff.requests).toHaveLength(1)
  expect(open.streams.open).toBe(1)
})

test('seven open invoices on one page keep two streams, and the other tags poll', async () => {
  const page = await shopPage({ line: 'open', remembers: 'checkout-01-of-the-tests' })
  await waitForState(page, 'waiting')
  const tags = Array.from({ length: 6 }, (_, index) =>
    createTag({ order: `order-${index + 2}`, 'checkout-id': 'checkout-01-of-the-tests' }),
  )
  document.body.append(...tags)
  await expect.poll(() => tags.map(({ state }) => state)).toEqual(Array(6).fill('waiting'))
  for (const tag of tags) {
    await calm(tag)
  }

  expect(page.streams.open).toBe(2)
  page.bff.confirm(PAID)
  page.streams.tell()
  await page.later(5)
  await expect.poll(() => tags.map(({ state }) => state)).toEqual(Array(6).fill('paid'))
  expect(page.streams.open).toBe(0)
})

test('what cannot be read in a stream is still checking', async () => {
  const page = await openPageWithStream()
  page.streams.tell(JSON.stringify({ ...page.bff.view, ...PAID, status: 803 }))
  await page.later(1)
  expect(page.tag.state).toBe('waiting')
  page.bff.confirm(PAID)
  page.streams.tell()
  await waitForState(page, 'paid')
  expect(page.events.filter((event) => event === 'settled')).toHaveLength(1)
})

test('while the BFF restarts the state is kept, and a stream is opened afterwards', async () => {
  const page = await openPageWithStream()
  await page.later(20)
  page.streams.line = 'refused'
  for (let question = 0; question < 20; question++) {
    page.bff.failNext('network')
  }

  page.streams.cut()
  await page.later(10)
  expect(page.status()).toContain('We are still checking.')
  expect(page.tag.state).toBe('waiting')
  expect(page.events).toEqual(['open'])
  page.streams.line = 'open'
  page.bff.recover()
  await page.later(30)
  await expect.poll(() => page.streams.open).toBe(1)
  expect(page.status()).not.toContain('We are still checking.')
  const asked = page.bff.requests.length
  page.bff.confirm(PAID)
  page.streams.tell()
  await waitForState(page, 'paid')
  expect(page.bff.requests).toHaveLength(asked)
  expect(page.streams.overlaps).toBe(0)
})

test('a removed element has no stream; an element that is added again polls and opens one', async () => {
  const page = await openPageWithStream()
  page.tag.remove()
  await calm(page.tag)
  expect({ open: page.streams.open, timers: page.clock.timers }).toEqual({ open: 0, timers: 0 })
  page.bff.confirm(PARTIAL)
  await page.later(60)
  document.body.append(page.tag)
  await waitForState(page, 'partial')
  await expect.poll(() => page.streams.open).toBe(1)
})
