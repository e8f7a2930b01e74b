import { describe, expect, test } from 'vitest'
import { CALM, DOWN } from '../support/network.ts'
import { createWorld } from '../support/world.ts'

const MINUTE = 60_000

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
