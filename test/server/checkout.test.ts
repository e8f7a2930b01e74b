import { describe, expect, test } from 'vitest'
import { RELIABLE, DOWN } from '../support/network.ts'
import { shopWithCheckout, shopWithOrder } from '../support/shop-with-order.ts'

const MINUTE = 60_000

test('a part of the amount is told, and the rest completes the same checkout', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  const redirect_url: unknown = expect.stringMatching(/\/pay\//)
  expect(begun).toMatchObject({ order: 'A-1', status: null, outcome: 'waiting', amount: '500', attempt: 1 })
  expect(begun).toMatchObject({ redirect_url })
  await shop.pay(begun, 'partial', { amount: 200 })
  await shop.later(2_000)
  const partial = { status: 802, outcome: 'partial', settled: false, amount_paid: '200', redirect_url }
  expect(await shop.status(id)).toMatchObject(partial)
  await shop.pay(begun, 'approve')
  await shop.later(3_000)
  const { version, ...paid } = await shop.status(id)
  expect(paid).toMatchObject({ status: 801, outcome: 'paid', settled: true, discrepancy: null })
  expect(paid.redirect_url ?? null).toBeNull()
  expect(shop.delivered.at(-1)?.data).toMatchObject({ order: 'A-1', version, amount_paid: '500' })
  expect(shop.types()).toEqual(['checkout.partial', 'checkout.paid'])
})

describe('one order, one live checkout', () => {
  test('a repeated initiate of an order returns the same checkout', async () => {
    const { shop } = await shopWithOrder()
    const [first, ...others] = await Promise.all([1, 2, 3, 4, 5].map(() => shop.initiate('A-1')))
    const begun = await first!.json()
    for (const other of others) expect((await other.json()).checkout_id).toBe(begun.checkout_id)
    const later = await shop.initiate('A-1')
    expect([later.status, (await later.json()).checkout_id]).toEqual([200, begun.checkout_id])
    expect(shop.gatewayRequests().filter((request) => request.endsWith('/initiate'))).toHaveLength(1)
  })

  test('a first start costs one request', async () => {
    const { shop } = await shopWithCheckout()
    shop.order('A-2')
    await shop.start('A-2')
    const opening = 'POST /v2/checkout/initiate'
    expect(shop.gatewayRequests()).toEqual(['POST /v1/auth', opening, opening])
  })

  test.each([
    ['paid', [{ payment_status: 700, amount: '500', external_reference: 'ID', transaction_id: 'T1' }], 801],
    ['waiting', [], 803],
  ])(
    'an order that the gateway refuses as a duplicate is shown as the gateway reports it, %s',
    async (outcome, payments, status) => {
      const { shop } = await shopWithOrder({
        gateway(url, { method }) {
          const [, id] = /\/v2\/checkout\/status\/(.+)$/.exec(url) ?? []
          const report = {
            merchant_transaction_id: id,
            checkout_reference: 'C',
            currency: 'KES',
            status,
            amount: payments[0]?.amount ?? '0',
            payments: payments.map((each) => ({ ...each, external_reference: id })),
          }
          if (id) return Response.json(report)
          const refusal = {
            status_code: 172,
            status_description: 'Generic validation failure',
            message: 'duplicate',
          }
          return method === 'POST' && url.endsWith('/initiate')
            ? Response.json(refusal, { status: 400 })
            : undefined
        },
      })
      for (let start = 0; start < 2; start++) {
        const view = await shop.start('A-1')
        expect(view).toMatchObject({ outcome, attempt: 1 })
        expect(view).not.toHaveProperty('redirect_url')
      }
      expect(shop.gatewayRequests().filter((request) => request.endsWith('/initiate'))).toHaveLength(1)
    },
  )

  test('a changed order waits until the old terms can no longer be paid', async () => {
    const { shop } = await shopWithCheckout()
    shop.order('A-1', '600')
    const refused = await shop.initiate('A-1')
    expect([refused.status, refused.headers.get('content-type')]).toEqual([409, 'application/problem+json'])
    expect(await refused.json()).toMatchObject({ code: 'order_changed', retryable: false, status: 409 })
    await shop.later(40 * MINUTE)
    expect(await shop.start('A-1')).toMatchObject({ amount: '600', attempt: 2 })
  })

  test('a changed order whose old terms were paid is not payable, and the merchant is told', async () => {
    const { shop, begun } = await shopWithCheckout()
    await shop.pay(begun, 'approve')
    await shop.later(2_000)
    shop.order('A-1', '600')
    const refused = await shop.initiate('A-1')
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'order_not_payable', detail: expect.stringContaining('Money was received for earlier terms') },
    ])
    expect(shop.gatewayRequests().filter((request) => request.endsWith('/initiate'))).toHaveLength(1)
    const { merchant_transaction_id } = begun
    const line = shop.logged.find(({ facts }) => 'code' in facts && facts.code === 'order_not_payable')
    expect(line).toMatchObject({ level: 'warn', message: expect.stringContaining('The order "A-1"') })
    expect(line?.message).toContain(`500 KES (${merchant_transaction_id})`)
  })

  test.each([
    ['whose answer was lost is settled by the next click', { ...RELIABLE, answerLost: 1 }, 0, 1],
    ['whose answer was lost is found by asking', { ...RELIABLE, answerLost: 1 }, 2 * MINUTE, 1],
    ['that never arrived is given up after two minutes', DOWN, 5 * MINUTE, 2],
  ])('an intent %s', async (_, reliability, ms, attempt) => {
    const { shop } = await shopWithCheckout()
    shop.order('A-2')
    shop.network.reliability.gateway = reliability
    const unclear = await shop.initiate('A-2')
    expect(unclear.status).toBe(503)
    expect(await unclear.json()).toMatchObject({ code: 'gateway_unavailable', retryable: true })
    shop.network.reliability.gateway = RELIABLE
    await shop.later(ms)
    expect(await shop.start('A-2')).toMatchObject({ attempt, outcome: 'waiting' })
  })
})
