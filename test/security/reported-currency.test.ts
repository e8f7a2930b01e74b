import { expect, test } from 'vitest'

import { paymentRecord } from '../support/spec/shapes.ts'
import { createApiWorld } from '../support/worlds/api-world.ts'
import { createWorld } from '../support/worlds/world.ts'

const TWO = 'KES=CHECKOUT-KES,UGX=CHECKOUT-UGX'
const ALIKE = 'KES=CHECKOUT-KES,UGX=CHECKOUT-KES'
test.each<[string, codes: string, request: object, service_code: string | null, state: object]>([
  ['of the requested currency', TWO, { currency_code: 'KES' }, 'CHECKOUT-KES', { outcome: 'succeeded' }],
  ['of no named service', TWO, { currency_code: 'KES' }, null, { outcome: 'succeeded' }],
  [
    'that was requested in another currency than that of its service',
    TWO,
    { currency_code: 'UGX', service_code: 'CHECKOUT-KES' },
    'CHECKOUT-KES',
    { outcome: 'needs_attention', discrepancy: 'currency', currency: 'UGX' },
  ],
  [
    'that was requested in another currency than that of its service, which the report does not name',
    TWO,
    { currency_code: 'UGX', service_code: 'CHECKOUT-KES' },
    null,
    { outcome: 'needs_attention', discrepancy: 'currency', currency: 'UGX' },
  ],
  [
    'of another service',
    TWO,
    { currency_code: 'UGX' },
    'CHECKOUT-KES',
    { outcome: 'needs_attention', currency: 'UGX' },
  ],
  ['of a service for any currency', 'SERVICE', { currency_code: 'UGX' }, null, { outcome: 'succeeded' }],
  ['of a service for two currencies', ALIKE, { currency_code: 'UGX' }, null, { outcome: 'succeeded' }],
  [
    'of a service that is not configured',
    TWO,
    { currency_code: 'UGX', service_code: 'OTHER' },
    null,
    { outcome: 'succeeded' },
  ],
])(
  'a charge that the gateway reports without a currency %s, with GATEWAY_SERVICE_CODE=%s',
  async (_, codes, request, service_code, state) => {
    const shop = await chargingShop(codes, { service_code })
    expect((await shop.charge(request)).status).toBe(201)
    expect(await shop.read()).toMatchObject(state)
  },
)

test.each<[string, codes: string, request: object, currency: string]>([
  ['of a service', 'KES=A,UGX=B', { service_code: 'B' }, 'UGX'],
  ['of the only service', 'KES=A', {}, 'KES'],
])('a charge without a currency takes that of its service: %s', async (_, codes, request, currency) => {
  const shop = await chargingShop(codes)
  expect(await (await shop.charge(request)).json()).toMatchObject({ currency })
  expect(shop.sent).toMatchObject([{ currency_code: currency }])
  expect((await shop.charge(request)).status).toBe(200)
})

test.each<[string, codes: string, request: object]>([
  ['of one of two services', 'KES=A,UGX=B', {}],
  ['of a service for any currency', 'SERVICE', {}],
  ['of a service that is not configured', 'KES=A', { service_code: 'C' }],
  ['of a service for two currencies', 'KES=A,UGX=A', { service_code: 'A' }],
])(
  'a charge without a currency is refused, and the refusal names the field: %s',
  async (_, codes, request) => {
    const shop = await chargingShop(codes)
    const answer = await shop.charge(request)
    expect({ status: answer.status, errors: (await answer.json()).errors }).toEqual({
      status: 422,
      errors: expect.arrayContaining([{ path: 'currency_code', message: 'is required' }]),
    })
    expect(shop.sent).toEqual([])
  },
)

/** Returns a shop whose gateway reports each charge as one successful payment, without a currency. */
async function chargingShop(codes: string, payment: object = {}) {
  const sent: { external_reference: string; amount: number }[] = []
  const shop = await createWorld({
    env: {
      GATEWAY_SERVICE_CODE: codes,
      PARTNER_ACCOUNTS_DYNAMIC: undefined,
      MERCHANT_WEBHOOK_URL: undefined,
      MERCHANT_WEBHOOK_SECRET: undefined,
    },
    gateway(url, { method, body }) {
      if (!url.includes('/charges')) {
        return undefined
      }
      if (method === 'POST') {
        sent.push(JSON.parse(body ?? ''))
      }

      const { external_reference, amount = 0 } = sent.at(-1) ?? {}
      const named = { external_reference, charge_request_id: '22406' }
      if (method === 'POST') {
        return Response.json({ ...named, status_code: 176, total_amount: String(amount) })
      }

      const { currency_code: _, ...silent } = paymentRecord
      return Response.json({ ...silent, ...named, amount: String(amount), ...payment })
    },
  })
  const charge = { external_reference: 'C-1', payer_msisdn: '254700000001', amount: 3000 }
  return {
    sent,
    charge: (request: object) => shop.api('/charges', { ...charge, ...request }),
    async read() {
      // The stored state counts as recent before.
      await shop.later(60_000)
      return (await shop.api('/charges/C-1')).json()
    },
  }
}

test.each(['kes', 'Kes', ' KES '])(
  'the day sums one currency, however the gateway spells it: %j',
  async (spelt) => {
    const world = await createApiWorld({ env: { TIME_ZONE: 'Africa/Nairobi' } })
    world.order('A-1', '500')
    world.order('A-2', '700')
    await world.pay(await world.start('A-1'), 'approve')
    await world.later(30_000)
    world.alterAnswers((text) => text.replaceAll('"KES"', JSON.stringify(spelt)))
    await world.pay(await world.start('A-2'), 'approve')
    await world.later(30_000)
    const { sums, disagreements } = (await world.get('/days/2026-11-21')).body
    expect(sums).toMatchObject([{ currency: 'KES', net: '1200' }])
    expect(disagreements).toEqual([])
    const { outcome, discrepancy, payments } = (await world.get('/checkouts/A-2')).body
    expect({ outcome, discrepancy, currency: payments[0].currency }).toEqual({
      outcome: 'paid',
      discrepancy: null,
      currency: 'KES',
    })
  },
)
