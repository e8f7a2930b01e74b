import { expect, test } from 'vitest'

import { RELIABLE, DOWN } from '../../support/worlds/network.ts'
import { shopWithCheckout } from '../../support/worlds/shop-with-order.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { World } from '../../support/worlds/world.ts'

const MINUTE = 60_000

async function follow(shop: World, checkoutId: string, headers: Record<string, string> = {}) {
  const answer = await shop.ask(`/checkout/status/${checkoutId}/stream`, { headers })
  const reader = answer.body?.getReader()
  const page = { answer, text: '', ended: false, leave: async () => reader?.cancel() }

  const read = async (): Promise<void> => {
    const piece = await reader?.read()
    if (!piece || piece.done) {
      return void (page.ended = true)
    }

    page.text += new TextDecoder().decode(piece.value)
    return read()
  }

  void read()
  await shop.settle()
  return page
}

function viewsOf({ text }: { text: string }): { id: string; view: CheckoutView }[] {
  return [...text.matchAll(/^event: status\nid: (.*)\ndata: (.*)\n\n/gm)].map(([, id = '', data = '']) => ({
    id,
    view: JSON.parse(data),
  }))
}

test('a page that follows a checkout is told at once how it stands', async () => {
  const { shop, id } = await shopWithCheckout()
  const page = await follow(shop, id)
  expect(page.answer.status).toBe(200)
  expect(page.answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(page.answer.headers.get('cache-control')).toBe('no-cache, no-transform')
  const [first] = viewsOf(page)
  expect(first).toMatchObject({ view: { checkout_id: id, outcome: 'waiting' } })
  expect(first?.id).toBe(String(first?.view.version))
})

test('a page that follows a checkout is told at once by a callback, although it has had the gateway asked a moment ago', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  shop.network.reliability.callbacks = DOWN
  const page = await follow(shop, id)
  await shop.later(3_900)
  const before = shop.gatewayRequests().length
  await shop.later(400)
  expect(shop.gatewayRequests().length - before).toBe(1)
  await shop.pay(begun, 'partial', { amount: 200 })
  await shop.ask(shop.callbackPath(begun), { method: 'POST', body: '{}' })
  await shop.settle()
  expect(viewsOf(page).at(-1)?.view).toMatchObject({ outcome: 'partial', amount_paid: '200' })
})

test.each([
  ['within a second of its callback', RELIABLE, 1_000],
  ['within seconds when no callback comes', DOWN, 5_000],
])(
  'a page that follows a checkout is told of a change %s, and of nothing twice',
  async (_, callbacks, ms) => {
    const { shop, begun, id } = await shopWithCheckout()
    shop.network.reliability.callbacks = callbacks
    const page = await follow(shop, id)
    await shop.later(5_000)
    await shop.pay(begun, 'partial', { amount: 200 })
    await shop.later(ms)
    expect(viewsOf(page).at(-1)?.view).toMatchObject({ outcome: 'partial', amount_paid: '200' })
    await shop.later(MINUTE)
    const ids = viewsOf(page).map((event) => event.id)
    expect(new Set(ids).size).toBe(ids.length)
  },
)

test('a page hears a beat at once, before the gateway has answered, and every 15 seconds for a quarter of an hour', async () => {
  const { shop, id } = await shopWithCheckout()
  shop.network.reliability.gateway = DOWN
  const page = await follow(shop, id)
  const beats = () => page.text.match(/^event: beat\ndata:\n\n/gm)
  expect(beats()).toHaveLength(1)
  await shop.later(46_000)
  expect(beats()).toHaveLength(4)
  expect(page.ended).toBe(false)
  // A stream ends after 15 minutes, and the page connects again.
  await shop.later(15 * MINUTE)
  expect(page.ended).toBe(true)
  expect(page.text).toContain('retry: 2000\n')
})

test('a page that comes back is not told what it knows, and is told what came after', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  const first = await follow(shop, id)
  const known = viewsOf(first).at(-1)?.id ?? ''
  await first.leave()
  const second = await follow(shop, id, { 'last-event-id': known })
  expect(viewsOf(second)).toEqual([])
  await shop.pay(begun, 'partial', { amount: 200 })
  await shop.later(5_000)
  expect(viewsOf(second).map(({ view }) => view.outcome)).toContain('partial')
})

test('a page that comes back for what is settled sees its stream end, and where it knows that is told not to come again', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  const first = await follow(shop, id)
  await shop.pay(begun, 'approve')
  await shop.later(5_000)
  for (const page of [first, await follow(shop, id)]) {
    expect(viewsOf(page).at(-1)?.view).toMatchObject({ outcome: 'paid', settled: true })
    expect(page.ended).toBe(true)
  }

  const known = await follow(shop, id, { 'last-event-id': viewsOf(first).at(-1)?.id ?? '' })
  expect(known.answer.status).toBe(204)
})

test('a page that comes back with nonsense for its last event is told everything', async () => {
  const { shop, id } = await shopWithCheckout()
  for (const lastEventId of ['nonsense', '-1', 'NaN', '1e99', '<script>', '']) {
    expect(viewsOf(await follow(shop, id, { 'last-event-id': lastEventId })), lastEventId).toHaveLength(1)
  }
})

test('pages that leave make room for others', { timeout: 30_000 }, async () => {
  const { shop, id } = await shopWithCheckout()
  const open = (checkoutId: string) => shop.ask(`/checkout/status/${checkoutId}/stream`)
  const pages: Response[] = []
  for (let order = 1; order <= 100; order++) {
    shop.order(`B-${order}`)
    const { checkout_id } = await shop.start(`B-${order}`)
    pages.push(...(await Promise.all(Array.from({ length: 100 }, () => open(checkout_id)))))
    // A checkout has at most 100 streams.
    expect([pages.at(-1)?.status, (await open(checkout_id)).status]).toEqual([200, 503])
  }

  const refused = await open(id)
  expect({ status: refused.status, 'retry-after': refused.headers.get('retry-after') }).toEqual({
    status: 503,
    'retry-after': '5',
  })
  expect(await refused.json()).toMatchObject({ code: 'too_many_streams', retryable: true })

  for (const { body } of pages) {
    await body?.cancel()
  }

  await shop.settle()
  expect((await open(id)).status).toBe(200)
})

test('a HEAD request takes no room', async () => {
  const { shop, id } = await shopWithCheckout()
  const before = shop.gatewayRequests().length
  const answer = await shop.ask(`/checkout/status/${id}/stream`, { method: 'HEAD' })
  expect(answer.status).toBe(204)
  await shop.later(15_000)
  expect(shop.gatewayRequests().length - before).toBeLessThanOrEqual(1)
})

test('a stream ends when the store fails under it, and nothing else does', async () => {
  const { shop, id } = await shopWithCheckout()
  const page = await follow(shop, id)
  await shop.store.close()
  await shop.later(10_000)
  expect(page.ended).toBe(true)
  expect((await shop.ask('/health/live')).status).toBe(200)
})
