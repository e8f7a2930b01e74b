import { describe, expect, test } from 'vitest'
import { signOrder } from '../../server/orders/sign.ts'
import { createChargeWorld } from '../support/charge-world.ts'
import { CHARGE } from '../support/chargeable.ts'
import { ENVIRONMENT, START } from '../support/world.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const SPLITS = [
  { account: 'PARTNER-001', amount: '300', reason: 'Cloth' },
  { account: 'PARTNER-002', amount: 50.5, reason: 'Delivery' },
]
const SHARES_OF_500 = {
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

async function openCheckout(options: Parameters<typeof createChargeWorld>[0] = {}) {
  const shop = await openShop(options)
  const begun = await shop.start('A-1')
  return { shop, begun, id: begun.checkout_id, reference: begun.merchant_transaction_id }
}

describe('the splits of a charge', () => {
  const split = (fields: object = {}) => ({ account: 'PARTNER-001', amount: 1, reason: 'Cloth', ...fields })
  const LIST = 'extra_data.split_settlements'

  test.each([
    ['less than nothing', [split(), split({ amount: -1 })], '[1].amount', 'must be more than zero'],
    ['no list', 'PARTNER-001', '', 'must be a list'],
    [
      'more than there is',
      [split({ amount: 975.01 })],
      '',
      'come to 1000.01, which is more than the amount of 1000',
    ],
  ])('of %s are refused by entry and rule, before anything is sent', async (_, list, path, message) => {
    const shop = await createChargeWorld()
    const answer = await shop.api('/charges', { ...CHARGE, extra_data: { split_settlements: list } })
    const { errors } = await answer.json()
    expect([answer.status, errors]).toEqual([422, [{ path: LIST + path, message }]])
    expect(shop.gatewayRequests()).toEqual([])
  })

  test('without a dynamic account are refused by the gateway, which names the account', async () => {
    const shop = await createChargeWorld({ env: { PARTNER_ACCOUNTS_DYNAMIC: '' } })
    expect(await shop.charge({ extra_data: undefined })).toMatchObject({
      outcome: 'failed',
      refusal: {
        status_code: 172,
        message: expect.stringContaining('must include the account PARTNER-FEES'),
      },
    })
  })
})

describe('an order with splits', () => {
  test('is paid on the hosted page, delivered as event, confirmed and split once; the shopper sees no shares', async () => {
    const { shop, begun, id, reference } = await openCheckout()
    expect(begun).toMatchObject({ order: 'A-1', amount: '500', outcome: 'waiting', status: null })
    expect(begun.redirect_url).toContain('/pay/')
    await shop.pay(begun, 'approve')
    await shop.later(MINUTE)
    const view = await shop.status(id)
    expect(view).toMatchObject({ status: 801, outcome: 'paid', settled: true, discrepancy: null })
    for (const word of ['PARTNER', 'split', 'Cloth', 'fulfilment'])
      expect(JSON.stringify(view)).not.toContain(word)
    expect(shop.types()).toEqual(['checkout.paid'])
    expect(shop.confirmations()).toEqual(['SUCCESSFUL'])
    expect(await shop.shares(reference)).toMatchObject(SHARES_OF_500)
    expect(shop.gatewayRequests()).not.toContain('POST /v2/checkout/initiate')
  })

  test('with a partial payment is refunded when the merchant confirms FAILED', async () => {
    const { shop, begun, id, reference } = await openCheckout()
    await shop.pay(begun, 'partial')
    await shop.later(60 * MINUTE)
    await shop.acknowledge('FAILED', reference)
    await shop.later(MINUTE)
    expect(await shop.status(id)).toMatchObject({ outcome: 'refunded' })
  })

  test('is resumed with the same shares, and refused as changed with other shares', async () => {
    const { shop, begun } = await openCheckout()
    expect((await shop.start('A-1')).checkout_id).toBe(begun.checkout_id)
    shop.order('A-1', '500', { splits: SPLITS.slice(1) })
    const answer = await shop.initiate('A-1')
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'order_changed' }])
    shop.order('A-1', '500')
    expect((await shop.initiate('A-1')).status).toBe(409)
    expect(shop.posts()).toBe(1)
  })

  test('is refused with a reason while charges are off', async () => {
    const shop = await openShop({ env: { GATEWAY_CHARGE_PATH: '' } })
    const answer = await shop.initiate('A-1')
    expect([answer.status, await answer.json()]).toMatchObject([
      501,
      { code: 'charges_off', retryable: false },
    ])
    shop.order('A-2')
    expect((await shop.initiate('A-2')).status).toBe(201)
  })

  test.each([
    [476, 422, { errors: [{ path: 'order.splits', message: expect.stringContaining('come to 501') }] }],
    [-1, 503, { code: 'orders_unavailable' }],
  ])('of which one is %d is refused, before anything is sent', async (amount, status, problem) => {
    const shop = await openShop()
    shop.order('A-1', '500', { splits: [{ account: 'PARTNER-001', amount, reason: 'Cloth' }] })
    const answer = await shop.initiate('A-1')
    expect([answer.status, await answer.json()]).toMatchObject([status, problem])
    expect(shop.gatewayRequests()).toEqual([])
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
    expect(await shop.shares(begun.merchant_transaction_id)).toMatchObject(SHARES_OF_500)
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
