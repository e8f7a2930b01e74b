import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { openChargeMerchant } from '../sandbox/charge-merchant.ts'
import { request as checkout } from '../sandbox/merchant.ts'
import { airtime } from '../support/spec-airtime.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { codes } from '../support/spec-shapes.ts'
import { paths, queries } from './addresses.ts'
import { bodies } from './bodies.ts'
import type { Values } from './addresses.ts'
import type { Sent } from './bodies.ts'

const RUNS = process.env.FULL ? 1_500 : 30
const STEPS = 30
const LIMIT_MS = process.env.FULL ? 1_800_000 : 120_000
const HANG_MS = 60_000
const CALLBACKS = 'http://127.0.0.1:9/callbacks'
const FORM = 'application/x-www-form-urlencoded'

/** What the control interface takes, by its path. */
const EXAMPLES: Readonly<Record<string, object>> = {
  '/_sandbox/clock': { speed: 60 },
  '/_sandbox/clock/advance': { seconds: 60 },
  '/_sandbox/checkouts/:merchant_transaction_id/pay': {
    scenario: 'partial',
    amount: '10',
    msisdn: '254700000001',
    method: 'CARD',
  },
  '/_sandbox/portal': { charge_callback_url: CALLBACKS, airtime_callback_url: null },
  '/_sandbox/faults': { route: '/v1/charges', fault: 'latency', ms: 5, next: 2 },
  '/pay/:reference/prompt': { method: 'MOMO_KEN', msisdn: '254700000001' },
  '/pay/:reference/act': { scenario: 'partial', amount: '10' },
}
const SCENARIO = { scenario: 'success' }
const KNOWN: Values = {
  merchant_transaction_id: ['order-1', 'ORDER-7731'],
  payout_reference: [localPayout.payout_reference, 'still-to-come'],
  account_number: ['ACC-001', 'PARTNER-FEES'],
  phone_number: ['254700000001', '254700000002'],
  scenario: ['approve', 'partial', 'slow', 'jam', 'reverse', 'refund', 'success', 'failed', 'toString'],
  fault: ['latency', 'status', 'html', 'reset', 'truncate', 'callback_drop', 'answer_lost'],
}
const Refusal = z.strictObject({
  status_code: z.literal(codes.checkoutCode),
  status_description: z.string().min(1),
  message: z.string().min(1),
})

interface Asked {
  method: string
  path: string
  sent: Sent | null
}
type Biller = Awaited<ReturnType<typeof openChargeMerchant>>

test(
  'whatever the control interface and the hosted page are sent, they answer, and the books add up',
  async () => {
    const { sandbox, open } = await openWorld()
    const routes = sandbox.app.routes.filter(
      ({ method, path }) => method !== 'ALL' && /^\/(_sandbox|pay)\//.test(path),
    )
    expect(routes.length).toBeGreaterThan(20)
    const step = fc.oneof(...routes.map(({ method, path }) => requestTo(method, path, open)))
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: STEPS, size: 'max' }), async (steps) => {
        const merchant = await openWorld()
        for (const next of steps) {
          await ask(merchant, next)
          await merchant.sandbox.app.request('/_sandbox/faults', { method: 'DELETE' })
        }
        const { totals } = await merchant.ledger()
        for (const total of Object.values(totals)) expect(total).toBe('0.00')
      }),
      { numRuns: RUNS, timeout: HANG_MS },
    )
  },
  LIMIT_MS,
)

/** With one of everything; the same references each time, as the seed is the same. */
async function openWorld(): Promise<Biller & { open: Values }> {
  const merchant = await openChargeMerchant()
  const headers = { 'x-access-token': merchant.token() }
  const { checkout_reference } = await merchant.begin(checkout())
  await merchant.paid()
  await merchant.post('/v1/payouts/initiate', { ...localPayout, callback_url: CALLBACKS }, headers)
  await merchant.post('/v1/gw/airtime/send', airtime, headers)
  const [{ id }] = await merchant.deliveries('ORDER-7731')
  return { ...merchant, open: { reference: [checkout_reference, airtime.reference], id: [id] } }
}

function requestTo(method: string, route: string, open: Values): fc.Arbitrary<Asked> {
  const known = { ...KNOWN, ...open }
  const path = fc.tuple(paths(route, known), queries(['reference', 'stay'], known))
  const asked = { method: fc.constant(method), path: path.map((parts) => parts.join('')) }
  if (method !== 'POST') return fc.record({ ...asked, sent: fc.constant(null) })
  const example = EXAMPLES[route] ?? SCENARIO
  const sent = bodies({ example, values: known, shape: {} })
  if (!route.startsWith('/pay/')) return fc.record({ ...asked, sent })
  const form = fc
    .record({
      scenario: fc.constantFrom(...(KNOWN['scenario'] ?? [])),
      amount: fc.constantFrom('10', '1e400', ''),
    })
    .map((fields) => new URLSearchParams({ ...example, ...fields }).toString())
  return fc.record({
    ...asked,
    sent: fc.oneof(
      sent,
      form.map((body) => ({ contentType: FORM, body })),
    ),
  })
}

async function ask({ sandbox }: Biller, { method, path, sent }: Asked): Promise<void> {
  const headers = new Headers(sent?.contentType ? { 'content-type': sent.contentType } : {})
  const answer = await sandbox.app.request(path, { method, headers, ...(sent && { body: sent.body }) })
  const { status } = answer
  const text = await answer.text()
  expect([200, 202, 303, 400, 404, 409, 413, 415, 422]).toContain(status)
  if (/^(text\/html|$)/.test(answer.headers.get('content-type') ?? '')) return
  const said: unknown = JSON.parse(text)
  if (!answer.ok) expect(Refusal.safeParse(said).error).toBeUndefined()
}
