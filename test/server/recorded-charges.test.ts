import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import type { Environment } from '../../server/config/config.ts'
import type { FetchInit } from '../../server/http/exchange.ts'
import { createPortalAddress } from '../../server/callbacks/portal-address.ts'
import { readConfig } from '../../server/config/config.ts'
import {
  recordedAnswer,
  recordedDecline,
  recordedPayment,
  recordedPending,
} from '../support/recorded-charges.ts'
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
  ['failed', [recordedDecline], 'failed', ['charge.failed']],
  ['pending, then paid', [recordedPending, recordedPayment], 'succeeded', ['charge.succeeded']],
  ['paid, then reversed', [recordedPayment, reversed], 'reversed', ['charge.succeeded', 'charge.reversed']],
]

/** The configuration of a server whose gateway reports a charge under the gateway's own id. */
const RECORDED: Environment = {
  GATEWAY_CHARGE_PATH: '/v1/mobile-money/charge',
  GATEWAY_CHARGE_STATUS_PATH: '/v1/transaction/:charge_request_id/status',
  PARTNER_ACCOUNTS_DYNAMIC: '',
}

/**
 * Simulates a gateway with responses that were recorded at other gateways of this family. Does not use our sandbox or
 * the server's contract.
 */
function createRecordedGateway() {
  const app = new Hono()
  const payments = new Map<string, object>()
  const charges: { path: string; id: string; body: Record<string, unknown> }[] = []
  const queried: string[] = []
  const confirmed: unknown[] = []
  const answer = { isLost: false, fields: {} }

  app.post('/v1/auth', (c) => c.json({ access_token: 'a-token', expiresIn: 6_000 }, 201))

  for (const path of ['/v1/mobile-money/charge', '/v1/cards/charge'])
    app.post(path, async (c) => {
      const body = await c.req.json()
      const id = String(22_406 + charges.length)
      charges.push({ path, id, body })
      const named = { external_reference: body.external_reference, charge_request_id: id }
      payments.set(id, { ...recordedPending, ...named })
      if (answer.isLost) throw new Error('The answer was lost.')
      return c.json({ ...recordedAnswer, ...named, ...answer.fields }, 201)
    })

  app.get('/v1/transaction/:id/status', (c) => {
    const id = c.req.param('id')
    queried.push(id)
    const payment = payments.get(id)
    if (payment) return c.json(payment)
    return c.json({ status_code: 120, status_description: 'Transaction not found', message: id }, 404)
  })

  app.post('/transactions/acknowledge', async (c) => {
    const { payment_id, status } = await c.req.json()
    confirmed.push([payment_id, status])
    return c.json({ payment_id, message: 'Acknowledged' })
  })

  app.onError(() => new Response('', { status: 502 }))

  return {
    charges,
    queried,
    confirmed,
    answer,
    fetch: (url: string, init: FetchInit) => app.request(url, init),
    /** Changes the state that the gateway reports for a charge. Returns the body of the callback. */
    report(body: object): object {
      const reported = { ...body, charge_request_id: '22406' }
      payments.set(reported.charge_request_id, reported)
      return reported
    },
  }
}

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
