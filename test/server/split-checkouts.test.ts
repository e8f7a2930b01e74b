import { describe, expect, test } from 'vitest'
import { signOrder } from '../../server/orders/signed.ts'
import { createChargeWorld, createReluctantBackend } from '../support/charge-world.ts'
import { DOWN } from '../support/network.ts'
import { ENVIRONMENT, START } from '../support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const SPLITS = [
  { account: 'PARTNER-001', amount: '300', reason: 'Cloth' },
  { account: 'PARTNER-002', amount: 50.5, reason: 'Delivery' },
]
/** Of KES 500, with the platform's fee. */
const SHARED = {
  'partner/PARTNER-001': '300',
  'partner/PARTNER-002': '50.5',
  'partner/PARTNER-FEES': '25',
  'float/ACC-001': '124.5',
}

async function openShop(options: Parameters<typeof createChargeWorld>[0] = {}) {
  const shop = await createChargeWorld(options)
  shop.order('A-1', '500', { splits: SPLITS })
  return shop
}

describe('an order with splits', () => {
  test('is paid on the hosted page, told, confirmed, and shared once', async () => {
    const shop = await openShop()
    const begun = await shop.start('A-1')
    expect(begun).toMatchObject({ order: 'A-1', amount: '500', outcome: 'waiting', status: null })
    expect(begun.redirect_url).toContain('/pay/')
    await shop.pay(begun, 'approve')
    await shop.later(MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({
      status: 801,
      outcome: 'paid',
      settled: true,
      discrepancy: null,
    })
    expect(shop.types()).toEqual(['checkout.paid'])
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
    expect(await shop.shares(begun.merchant_transaction_id)).toMatchObject(SHARED)
    expect(shop.gatewayRequests()).not.toContain('POST /v2/checkout/initiate')
  })

  test('tells the shopper nothing of the shares', async () => {
    const shop = await openShop()
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(MINUTE)
    const text = JSON.stringify(await shop.status(begun.checkout_id))
    for (const word of ['PARTNER', 'split', 'Cloth', 'fulfilment']) expect(text).not.toContain(word)
  })

  test('is confirmed only after the merchant has taken checkout.paid', async () => {
    const backend = createReluctantBackend()
    const shop = await openShop({ backend: backend.answer })
    await shop.pay(await shop.start('A-1'), 'approve')
    await shop.later(10 * MINUTE)
    expect([backend.asked.length > 1, shop.confirmations()]).toEqual([true, []])
    backend.isWilling = true
    await shop.later(60 * MINUTE)
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
  })

  test('goes back to the shopper when the merchant says FAILED before', async () => {
    const backend = createReluctantBackend()
    const shop = await openShop({ backend: backend.answer })
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(MINUTE)
    const { merchant_transaction_id: reference } = begun
    expect(await shop.acknowledge('FAILED', reference)).toMatchObject({ body: { stage: 'confirmed' } })
    backend.isWilling = true
    await shop.later(60 * MINUTE)
    expect(shop.confirmations()).toEqual(['FAILED'])
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.refunded'])
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'refunded' })
  })

  test.each([
    ['wrong_pin', 'unpaid'],
    ['partial', 'partial'],
    [null, 'expired'],
  ])('that comes to %s ends as other checkouts do, and nothing is confirmed', async (scenario, outcome) => {
    const shop = await openShop()
    shop.network.weather.callbacks = DOWN
    const begun = await shop.start('A-1')
    if (scenario) await shop.pay(begun, scenario)
    await shop.later(60 * MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome, settled: true })
    expect(shop.confirmations()).toEqual([])
  })

  test('of which a part was paid gives it back when the merchant says FAILED', async () => {
    const shop = await openShop()
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'partial')
    await shop.later(60 * MINUTE)
    await shop.acknowledge('FAILED', begun.merchant_transaction_id)
    await shop.later(MINUTE)
    expect(await shop.status(begun.checkout_id)).toMatchObject({ outcome: 'refunded' })
  })

  test('whose confirmation is refused is told as needing attention, once', async () => {
    const shop = await openShop()
    const begun = await shop.start('A-1')
    await shop.control('/faults', {
      route: '/transactions/acknowledge',
      fault: 'status',
      status: 400,
      next: 1,
    })
    await shop.pay(begun, 'approve')
    await shop.later(60 * MINUTE)
    expect(shop.types()).toEqual(['checkout.paid', 'checkout.needs_attention'])
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
  })

  test('is taken up again unchanged, and waits as changed when a share is another', async () => {
    const shop = await openShop()
    const begun = await shop.start('A-1')
    expect((await shop.start('A-1')).checkout_id).toBe(begun.checkout_id)
    shop.order('A-1', '500', { splits: SPLITS.slice(1) })
    const answer = await shop.initiate('A-1')
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'order_changed' }])
    shop.order('A-1', '500')
    expect((await shop.initiate('A-1')).status).toBe(409)
    expect(shop.posts()).toBe(1)
  })

  test('whose answer was lost is found by the same order', async () => {
    const shop = await openShop()
    await shop.control('/faults', { route: '/v1/charges', fault: 'answer_lost', next: 1 })
    expect((await shop.initiate('A-1')).status).toBe(503)
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.later(MINUTE)
    expect(shop.types()).toEqual(['checkout.paid'])
    expect(await shop.shares(begun.merchant_transaction_id)).toMatchObject(SHARED)
  })

  test('is refused while charges are off, and says why', async () => {
    const shop = await openShop({ env: { GATEWAY_CHARGE_PATH: '' } })
    const answer = await shop.initiate('A-1')
    expect([answer.status, await answer.json()]).toMatchObject([
      501,
      { code: 'charges_off', retryable: false },
    ])
    shop.order('A-2')
    expect((await shop.initiate('A-2')).status).toBe(201)
  })

  test('that asks for more than it is worth is refused by rule', async () => {
    const shop = await openShop()
    shop.order('A-1', '500', { splits: [{ account: 'PARTNER-001', amount: 476, reason: 'Cloth' }] })
    const answer = await shop.initiate('A-1')
    expect([answer.status, (await answer.json()).errors]).toEqual([
      422,
      [{ path: 'order.splits', message: 'come to 501, which is more than the amount of 500' }],
    ])
    expect(shop.gatewayRequests()).toEqual([])
  })

  test('that is not to be understood is the resolver’s mistake', async () => {
    const shop = await openShop()
    shop.order('A-1', '500', { splits: [{ account: 'PARTNER-001', amount: -1, reason: 'Cloth' }] })
    const answer = await shop.initiate('A-1')
    expect(await answer.json()).toMatchObject({
      code: 'orders_unavailable',
      detail: expect.stringContaining('splits[0].amount must be more than zero'),
    })
  })

  test('may be signed, and then the browser cannot change it', async () => {
    const key = 'a signing key of 32 bytes or more'
    const shop = await createChargeWorld({ env: { ORDER_SIGNING_KEY: key }, ordersFromConfig: true })
    const order = { order: 'A-1', amount: 500, currency: 'KES', narration: 'Two kangas', splits: SPLITS }
    const audience = ENVIRONMENT.PUBLIC_URL ?? ''
    const signed = await signOrder(order, { key, audience, issuedAt: START / 1000, lifetime: 600 })
    const begun = await shop.start(signed, { splits: '[]' })
    await shop.pay(begun, 'approve')
    await shop.later(MINUTE)
    expect(await shop.shares(begun.merchant_transaction_id)).toMatchObject(SHARED)
  })
})

test('an order without splits is a standard checkout, which nobody confirms', async () => {
  const shop = await createChargeWorld()
  shop.order('A-1', '500', { splits: [] })
  const begun = await shop.start('A-1')
  await shop.pay(begun, 'approve')
  await shop.later(MINUTE)
  expect(shop.gatewayRequests()).toContain('POST /v2/checkout/initiate')
  expect(shop.confirmations()).toEqual([])
  expect(await shop.acknowledge('SUCCESSFUL', begun.merchant_transaction_id)).toMatchObject({
    status: 404,
    body: { code: 'unknown_charge' },
  })
})
