import { describe, expect, test } from 'vitest'
import { CALM, DOWN } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

describe('the outcomes', () => {
  test('a payment in full is confirmed by the gateway and told to the merchant once', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    const begun = await shop.start('A-1')
    expect(begun).toMatchObject({ order: 'A-1', status: null, outcome: 'waiting', amount: '500', attempt: 1 })
    expect(begun.redirect_url).toMatch(/\/pay\//)

    await shop.pay(begun, 'approve')
    await shop.later(2_000)
    const paid = await shop.status(begun.checkout_id)
    expect(paid).toMatchObject({
      status: 801,
      outcome: 'paid',
      settled: true,
      amount_paid: '500',
      discrepancy: null,
    })
    expect(paid.redirect_url).toBeUndefined()
    expect(shop.types()).toEqual(['checkout.paid'])
    expect(shop.heard[0]!.data).toMatchObject({ order: 'A-1', status: 801, version: paid.version })
  })

  test('a part is told, and the rest completes the same checkout', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    const { checkout_id } = await shop.start('A-1')
    await shop.pay(await shop.status(checkout_id), 'partial', { amount: 200 })
    await shop.later(2_000)
    const part = await shop.status(checkout_id)
    expect(part).toMatchObject({ status: 802, outcome: 'partial', settled: false, amount_paid: '200' })
    expect(part.redirect_url).toMatch(/\/pay\//)

    await shop.pay(part, 'approve')
    await shop.later(3_000)
    expect(await shop.status(checkout_id)).toMatchObject({ status: 801, outcome: 'paid', amount_paid: '500' })
    expect(shop.types()).toEqual(['checkout.partial', 'checkout.paid'])
  })

  test('a part until expiry ends as partial, which holds money', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'partial', { amount: 200 })
    await shop.later(31 * MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 802,
      outcome: 'partial',
      settled: true,
    })
    expect(shop.heard.map(({ type, data }) => [type, data.settled])).toEqual([
      ['checkout.partial', false],
      ['checkout.partial', true],
    ])
  })

  test('a failed try is no end before the session is over', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'wrong_pin')
    await shop.later(2_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 803,
      outcome: 'unpaid',
      settled: false,
    })
    expect(shop.types()).toEqual([])

    await shop.later(33 * MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 803,
      outcome: 'unpaid',
      settled: true,
    })
    expect(shop.types()).toEqual(['checkout.unpaid'])
  })

  test('a prompt that is still open is not a failure', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'ignore')
    await shop.later(3_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'waiting', settled: false })
  })

  test('a session that nobody paid expires', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.later(31 * MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 820,
      outcome: 'expired',
      settled: true,
    })
    expect(shop.types()).toEqual(['checkout.expired'])
  })

  test('too much is paid, with the excess named and told', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'overpay', { amount: 700 })
    await shop.later(2_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 801,
      outcome: 'paid',
      discrepancy: 'excess',
      amount: '500',
      amount_paid: '700',
    })
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.overpaid'])
  })

  test('a jammed payment needs a person and is no end', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'jam')
    await shop.later(2_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'jammed', settled: false })
    expect(shop.types()).toEqual(['checkout.needs_attention'])
  })

  test.each([
    ['reverse', 840, 'reversed'],
    ['refund', 841, 'refunded'],
  ])('money that leaves again days later is told: %s', async (scenario, status, outcome) => {
    const shop = await createWorld()
    shop.network.weather.callbacks = DOWN
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(5 * DAY)
    await shop.pay(begun, scenario)
    await shop.later(3 * DAY)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ status, outcome, settled: true })
    expect(shop.types()).toEqual(['checkout.paid', `checkout.${outcome}`])
  })

  test('money on its way at expiry keeps the end open until it arrives', async () => {
    const shop = await createWorld({ env: { CHECKOUT_EXPIRES_MINUTES: '1' } })
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.later(MINUTE - 5_000)
    await shop.pay(begun, 'slow')
    await shop.later(10_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ settled: false })
    await shop.later(5 * MINUTE)
    expect(shop.types()).toEqual(['checkout.paid'])
  })
})

describe('one order, one live checkout', () => {
  test('asking again for the same order brings the same checkout', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const [first, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => shop.initiate('A-1')))
    const begun = await first!.json()
    for (const other of others) expect((await other.json()).checkout_id).toBe(begun.checkout_id)
    const later = await shop.initiate('A-1')
    expect(later.status).toBe(200)
    expect((await later.json()).checkout_id).toBe(begun.checkout_id)
    expect(shop.gatewayRequests().filter((request) => request.endsWith('/initiate'))).toHaveLength(1)
  })

  test('an order that ended without money begins anew, under a new id', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const first = await shop.start('A-1')
    await shop.later(40 * MINUTE)
    const second = await shop.start('A-1')
    expect(second).toMatchObject({ attempt: 2, outcome: 'waiting' })
    expect(second.merchant_transaction_id).not.toBe(first.merchant_transaction_id)
  })

  test('those that ended are asked about before another begins', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const first = await shop.start('A-1')
    await shop.later(40 * MINUTE)
    const before = shop.gatewayRequests().length
    await shop.start('A-1')
    expect(shop.gatewayRequests().slice(before)).toEqual([
      `GET /v2/checkout/status/${first.merchant_transaction_id}`,
      'POST /v2/checkout/initiate',
    ])
  })

  test('a paid order is shown as paid and never begun again', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(2_000)
    const again = await shop.initiate('A-1')
    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({ checkout_id: begun.checkout_id, outcome: 'paid' })
  })

  test('a changed order waits until the old terms can no longer be paid', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    await shop.start('A-1')
    shop.order('A-1', '600')
    const refused = await shop.initiate('A-1')
    expect(refused.status).toBe(409)
    expect(refused.headers.get('content-type')).toBe('application/problem+json')
    expect(await refused.json()).toMatchObject({ code: 'order_changed', retryable: false, status: 409 })
    await shop.later(40 * MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ amount: '600', attempt: 2 })
  })

  test('while a part is held only exactly the rest is asked for', async () => {
    const shop = await createWorld()
    shop.order('A-1', '500')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'partial', { amount: 200 })
    await shop.later(31 * MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ checkout_id: begun.checkout_id, outcome: 'partial' })
    shop.order('A-1', '400')
    expect((await shop.initiate('A-1')).status).toBe(409)
    shop.order('A-1', '300')
    expect(await shop.start('A-1')).toMatchObject({ attempt: 2, amount: '300', outcome: 'waiting' })
  })

  test('a lost answer to initiate is settled by the next click, under the same id', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    shop.network.weather.gateway = { ...CALM, answerLost: 1 }
    const unclear = await shop.initiate('A-1')
    expect(unclear.status).toBe(503)
    expect(await unclear.json()).toMatchObject({ code: 'gateway_unavailable', retryable: true })
    shop.network.weather.gateway = CALM
    expect(await shop.start('A-1')).toMatchObject({ attempt: 1, outcome: 'waiting' })
  })

  test('an intent that never arrived is given up after two minutes', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    shop.network.weather.gateway = DOWN
    expect((await shop.initiate('A-1')).status).toBe(503)
    shop.network.weather.gateway = CALM
    await shop.later(5 * MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ attempt: 2 })
  })

  test('an intent that did arrive, and whose answer was lost, is found by asking', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    await shop.start('A-1')
    shop.order('A-2')
    shop.network.weather.gateway = { ...CALM, answerLost: 1 }
    expect((await shop.initiate('A-2')).status).toBe(503)
    shop.network.weather.gateway = CALM
    await shop.later(2 * MINUTE)
    expect(await shop.start('A-2')).toMatchObject({ attempt: 1, outcome: 'waiting' })
  })
})

describe('callbacks', () => {
  test('alone bring the outcome within seconds, however soon after the start they come', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(2_000)
    expect(shop.types()).toEqual(['checkout.paid'])
  })

  test('every outcome arrives without them', async () => {
    const shop = await createWorld()
    shop.network.weather.callbacks = DOWN
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(2 * MINUTE)
    expect(shop.types()).toEqual(['checkout.paid'])
  })

  test('a forged body changes nothing, and an unknown address is refused', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    const path = shop.callbackPath(begun)
    const forged = { ...begun, status: 801, amount: '500', payments: [] }
    const answers = [
      await shop.ask(path, { method: 'POST', body: JSON.stringify(forged) }),
      await shop.ask(path, { method: 'POST', body: '<html>' }),
      await shop.ask(`/callbacks/checkout/${begun.merchant_transaction_id}.AAAAAAAAAAAAAAAAAAAAAA`, {
        method: 'POST',
      }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 404])
    await shop.later(5_000)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'waiting', amount_paid: '0' })
    expect(shop.types()).toEqual([])
  })

  test('a flood of them does not multiply into questions to the gateway', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    const path = shop.callbackPath(begun)
    const before = shop.gatewayRequests().length
    await Promise.all(Array.from({ length: 200 }, () => shop.ask(path, { method: 'POST', body: '{}' })))
    await shop.later(5_000)
    expect(shop.gatewayRequests().length - before).toBeLessThanOrEqual(3)
  })

  test('three of each, in any order, tell the merchant once', async () => {
    const shop = await createWorld()
    shop.network.weather.callbacks = { ...CALM, repeated: 1, late: 1 }
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'wrong_pin')
    await shop.pay(begun, 'partial', { amount: 100 })
    await shop.pay(begun, 'approve')
    await shop.later(HOUR)
    expect(shop.types()).toEqual(['checkout.paid'])
  })
})

describe('polls', () => {
  test('a hundred pages that watch one checkout are one question', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.later(3_000)
    const before = shop.gatewayRequests().length
    await Promise.all(Array.from({ length: 100 }, () => shop.status(begun.checkout_id)))
    expect(shop.gatewayRequests().length - before).toBe(1)
  })

  test('an unchanged view is a 304, and Retry-After says when to ask again', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const { checkout_id } = await shop.start('A-1')
    await shop.status(checkout_id)
    const first = await shop.ask(`/checkout/status/${checkout_id}`, {
      headers: { origin: 'https://shop.example' },
    })
    expect(first.headers.get('retry-after')).toBe('2')
    expect(first.headers.get('access-control-expose-headers')).toBe('ETag,Retry-After')
    expect(first.headers.get('access-control-allow-origin')).toBe('https://shop.example')
    const etag = first.headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"0", ${etag}`]) {
      const headers = { 'if-none-match': known }
      expect((await shop.ask(`/checkout/status/${checkout_id}`, { headers })).status).toBe(304)
    }
  })

  test('no answer from the gateway leaves the checkout as it was', async () => {
    const shop = await createWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'partial', { amount: 100 })
    await shop.later(3_000)
    shop.network.weather.gateway = DOWN
    await shop.later(MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'partial', amount_paid: '100' })
  })
})

describe('the merchant is told', () => {
  test('again until the backend takes it, in order and under the same id', async () => {
    let refusals = 3
    const tried: string[] = []
    const shop = await createWorld({
      backend: ({ id, type }) => {
        tried.push(`${type} ${id}`)
        return new Response(null, { status: refusals-- > 0 ? 500 : 200 })
      },
    })
    shop.order('A-1', '500')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'partial', { amount: 200 })
    await shop.later(3_000)
    await shop.pay(begun, 'approve')
    await shop.later(HOUR)
    expect(shop.types()).toEqual(['checkout.partial', 'checkout.paid'])
    expect(new Set(tried.slice(0, 4)).size).toBe(1)
    expect(tried).toHaveLength(5)
  })
})
