import { describe, expect, test } from 'vitest'
import { createPortalAddress } from '../../server/callbacks/portal-address.ts'
import { readConfig } from '../../server/config.ts'
import {
  recordedCardAnswer,
  recordedDecline,
  recordedPayment,
  recordedPending,
} from '../support/recorded-charges.ts'
import { createRecordedGateway, RECORDED } from '../support/recorded-gateway.ts'
import { createWorld, ENVIRONMENT, GATEWAY } from '../support/world.ts'

const MINUTE = 60_000
const CHARGE = {
  external_reference: 'R1',
  payer_msisdn: '254700000001',
  currency_code: 'KES',
  amount: 100,
  payment_method_code: 'MOMO_KEN',
  description: 'Two kangas',
  extra_data: 'table 7',
}
const reversed = { ...recordedPayment, event: 'payment_status', payment_status: 702 }

const OUTCOMES: [name: string, bodies: object[], outcome: string, events: string[]][] = [
  ['paid', [recordedPayment], 'succeeded', ['charge.succeeded']],
  ['failed', [recordedDecline], 'failed', ['charge.failed']],
  ['pending, then paid', [recordedPending, recordedPayment], 'succeeded', ['charge.succeeded']],
  ['paid, then reversed', [recordedPayment, reversed], 'reversed', ['charge.succeeded', 'charge.reversed']],
]

async function openShop(env = {}) {
  const gateway = createRecordedGateway()
  const shop = await createWorld({ env: { ...RECORDED, ...env }, gateway: gateway.fetch })
  const { pathname } = new URL(
    createPortalAddress('charges', readConfig({ ...ENVIRONMENT, ...RECORDED })).url,
  )
  return {
    ...shop,
    gateway,
    charge: async (fields: object = {}) => (await shop.api('/charges', { ...CHARGE, ...fields })).json(),
    read: async () => (await shop.api('/charges/R1')).json(),
    async notify(body: object) {
      const answer = await shop.ask(pathname, { method: 'POST', body: JSON.stringify(body) })
      expect(answer.status).toBe(200)
      await shop.settle()
    },
  }
}

describe.each(OUTCOMES)('a recorded charge that is %s', (_, bodies, outcome, events) => {
  test('is followed by callbacks', async () => {
    const { gateway, ...shop } = await openShop()
    expect(await shop.charge()).toMatchObject({ outcome: 'pending', charge_request_id: '22406' })
    for (const body of bodies) {
      await shop.notify(gateway.report(body))
      await shop.later(5_000)
    }
    expect(await shop.read()).toMatchObject({ outcome, settled: true, currency: 'KES', amount: '100' })
    expect(shop.types()).toEqual(events)
    expect(gateway.charges).toHaveLength(1)
    expect(gateway.confirmed).toEqual(events.includes('charge.succeeded') ? [['22406', 'SUCCESSFUL']] : [])
  })
})

test('a card payment has the page where the payer authorizes it, until it is settled', async () => {
  const { gateway, ...shop } = await openShop({ GATEWAY_CHARGE_PATH: '/v1/cards/charge' })
  const { auth_url } = recordedCardAnswer
  gateway.answer.fields = { auth_url, html: '<form></form>' }
  expect(await shop.charge()).toMatchObject({ auth_url, html: '<form></form>', redirect_url: null })
  expect(gateway.charges[0]?.path).toBe('/v1/cards/charge')
  await shop.notify(gateway.report(recordedPayment))
  expect(await shop.read()).toMatchObject({ outcome: 'succeeded', auth_url: null, html: null })
})

test('extra_data reaches the gateway as text, or with the addresses of success and failure', async () => {
  const { gateway, ...shop } = await openShop()
  const urls = {
    success_redirect_url: 'https://shop.example/1',
    failed_redirect_url: 'https://shop.example/2',
  }
  await shop.charge()
  await shop.charge({ external_reference: 'R2', extra_data: urls })
  expect(gateway.charges.map(({ body }) => body.extra_data)).toEqual(['table 7', urls])
})

test('extra_data as text is refused where shares have to be added to it', async () => {
  const shop = await openShop({ PARTNER_ACCOUNTS_DYNAMIC: 'PARTNER-FEES=25:Platform fee' })
  expect(await shop.charge()).toMatchObject({
    code: 'invalid_request',
    errors: [{ path: 'extra_data', message: expect.stringContaining('PARTNER_ACCOUNTS_DYNAMIC') }],
  })
})

describe('a recorded charge whose answer was lost', () => {
  test('is neither queried nor sent again, and needs a person, also if a callback names its id', async () => {
    const { gateway, ...shop } = await openShop()
    gateway.answer.isLost = true
    expect(await shop.charge()).toMatchObject({ outcome: 'sending', charge_request_id: null })
    await shop.notify(gateway.report(recordedPayment))
    await shop.later(10 * MINUTE)
    expect(await shop.read()).toMatchObject({
      outcome: 'needs_attention',
      attention: expect.stringContaining('only by the id in that answer'),
    })
    expect(shop.types()).toEqual(['charge.needs_attention'])
    expect([gateway.queried, gateway.charges.length]).toEqual([[], 1])
  })
})

describe('an order with splits', () => {
  const splits = [{ account: 'PARTNER-001', amount: '30', reason: 'Cloth' }]
  const page = `${GATEWAY}/pay/1`

  async function openOrder(fields: object = {}) {
    const { gateway, ...shop } = await openShop()
    gateway.answer.fields = fields
    shop.order('A-1', '100', { splits })
    const begun = await shop.initiate('A-1')
    const { checkout_id } = await begun.clone().json()
    const external_reference = gateway.charges[0]?.body.external_reference
    return { ...shop, gateway, begun, checkout_id, external_reference }
  }

  test("is followed under the gateway's id, if the answer has a hosted page", async () => {
    const { gateway, checkout_id, external_reference, ...shop } = await openOrder({ redirect_url: page })
    expect(await shop.status(checkout_id)).toMatchObject({ outcome: 'waiting', redirect_url: page })
    const returns = { success_redirect_url: expect.any(String), failed_redirect_url: expect.any(String) }
    expect(gateway.charges[0]?.body.extra_data).toMatchObject(returns)
    gateway.report({ ...recordedPayment, external_reference })
    await shop.later(MINUTE)
    expect(await shop.status(checkout_id)).toMatchObject({ outcome: 'paid', amount_paid: '100' })
    expect(shop.types()).toEqual(['checkout.paid'])
    expect(new Set(gateway.queried)).toEqual(new Set(['22406']))
  })

  test('is refused, and needs a person, if the answer has none', async () => {
    const { begun, ...shop } = await openOrder()
    expect([begun.status, await begun.json()]).toMatchObject([502, { code: 'gateway_contradiction' }])
    await shop.later(MINUTE)
    expect(shop.types()).toEqual(['checkout.needs_attention'])
  })
})
