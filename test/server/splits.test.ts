import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../server/transactions/schedule.ts'
import { createChargeWorld } from '../support/charge-world.ts'
import { recordedAnswer, recordedPayment } from '../support/recorded-charges.ts'
import { GATEWAY } from '../support/world.ts'

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

  test.each([
    ['has a hosted page', 'checkout.paid', { redirect_url: `${GATEWAY}/pay/1` }],
    ['has none, and needs a person', 'checkout.needs_attention', {}],
  ])("is followed under the gateway's id, if the answer %s: %s", async (_, event, page) => {
    let sent: Record<string, unknown> = {}
    const shop = await openShop({
      env: { GATEWAY_CHARGE_STATUS_PATH: '/v1/transaction/:charge_request_id/status' },
      gateway(url, { body }) {
        const { external_reference } = sent
        if (url.endsWith('/v1/transaction/22406/status'))
          return Response.json({ ...recordedPayment, amount: '500', external_reference })
        if (url.endsWith('/acknowledge')) return Response.json({ payment_id: '22406', message: 'Taken.' })
        if (!url.endsWith('/v1/charges')) return undefined
        sent = JSON.parse(body ?? '')
        const named = { external_reference: sent.external_reference, total_amount: '500' }
        return Response.json({ ...recordedAnswer, ...named, ...page })
      },
    })
    const { status } = await shop.initiate('A-1')
    expect(status).toBe('redirect_url' in page ? 201 : 502)
    const returns = { success_redirect_url: expect.any(String), failed_redirect_url: expect.any(String) }
    expect(sent.extra_data).toMatchObject(returns)
    await shop.later(5 * MINUTE)
    expect(shop.types()).toEqual([event])
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
})
