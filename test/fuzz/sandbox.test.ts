import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { compare } from '../../server/contract/decimal.ts'
import { endpoints } from '../../server/contract/endpoints.ts'
import { openMerchant, request as checkout } from '../sandbox/merchant.ts'
import { airtime } from '../support/spec-airtime.ts'
import { charge, confirmation } from '../support/spec-charges.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'
import { codes } from '../support/spec-shapes.ts'
import { paths, queries } from './addresses.ts'
import { bodies } from './bodies.ts'
import { shapeOf } from './shape.ts'
import type { Values } from './addresses.ts'
import type { Sent } from './bodies.ts'
import type { Merchant } from '../sandbox/merchant.ts'

const RUNS = process.env.FULL ? 3_000 : 100
const STEPS = 50
const CONTROL_RUNS = process.env.FULL ? 1_500 : 30
const CONTROL_STEPS = 30
const FORM = 'application/x-www-form-urlencoded'
const LIMIT_MS = process.env.FULL ? 1_800_000 : 120_000
const HANG_MS = 60_000
const CALLBACKS = 'http://127.0.0.1:9/callbacks'

type Name = keyof typeof endpoints
type Posted = { [N in Name]: (typeof endpoints)[N]['request'] extends null ? never : N }[Name]

const EXAMPLES: Record<Posted, object> = {
  authenticate: { consumer_key: 'sandbox-key', consumer_secret: 'sandbox-secret' },
  initiateCheckout: checkout(),
  initiatePayout: { ...localPayout, callback_url: CALLBACKS },
  initiateTransfer: { ...transfer, callback_url: CALLBACKS },
  initiateB2b: { ...b2bPayout, callback_url: CALLBACKS },
  sendAirtime: airtime,
  postCharge: charge,
  confirmService: confirmation,
}

const OTHERS = ['ref-0', 'a/b c?d#é%25']
const PAYOUTS = [localPayout, transfer, b2bPayout].map(({ payout_reference }) => payout_reference)
const DIGITS = '0001 0002 9001 9005 9006 9007 9008 9009 9010 9101 9103 9112'.split(' ')
const PHONES = DIGITS.map((digits) => `25470000${digits}`)
const VALUES: Values = {
  merchant_transaction_id: [checkout().merchant_transaction_id, ...OTHERS],
  external_reference: [charge.external_reference, ...OTHERS],
  payout_reference: [...PAYOUTS, ...OTHERS],
  reference: [airtime.reference, ...OTHERS],
  payment_id: ['payment-0', 'payment-1', 'payment-2'],
  payer_msisdn: PHONES,
  recipient_phone_number: PHONES,
  phone_number: PHONES,
  status: ['SUCCESSFUL', 'FAILED'],
  payment_method_code: ['MOMO_KEN', 'CARD'],
  account_number: ['ACC-001'],
  base_currency: ['KES', 'UGX', 'XXX'],
}

const CONTROL: Readonly<Record<string, object>> = {
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
const words = z.string().min(1)
// [spec: Checkout error object; Authentication, 5; Payout acknowledgement]
const ERRORS = {
  http: z.strictObject({
    status_code: z.literal(codes.checkoutCode),
    status_description: words,
    message: words,
  }),
  authentication: z.strictObject({ statusCode: z.int(), message: words, error: words }),
  body: z.strictObject({
    payout_reference: z.string().nullish(),
    reference: z.string().nullish(),
    response_code: z.literal(codes.acknowledgementCode),
    response_description: words,
    error_code: words.optional(),
  }),
}
// Phone numbers that end with 9112 cause 503.
const STATUSES = [200, 400, 401, 403, 404, 409, 413, 415, 503]

interface Asked {
  name: Name
  path: string
  query: string
  token: 'good' | 'wrong' | 'none'
  sent: Sent | null
}

interface Control {
  method: string
  path: string
  sent: Sent | null
}

const NAMES = Object.keys(endpoints).filter((name): name is Name => Object.hasOwn(endpoints, name))
const step = fc.oneof(...NAMES.map((name) => ({ weight: 2, arbitrary: requestTo(name) })), {
  weight: 4,
  arbitrary: fc.record({ seconds: fc.integer({ min: 1, max: 90 }) }),
})

test(
  'for any requests, the sandbox gives allowed answers, its ledger is balanced, and no secret leaks',
  async () => {
    const reached = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: STEPS, size: 'max' }), async (steps) => {
        const merchant = await openWorld()
        for (const next of steps) {
          if ('seconds' in next) await merchant.later(next.seconds * 1_000)
          else reached.add(`${next.name} ${await ask(merchant, next)}`)
        }
        await checkBooks(merchant)
        await checkSecrets(merchant)
      }),
      { numRuns: RUNS, timeout: HANG_MS },
    )
    // Proves coverage: each endpoint has accepted and refused at least one request.
    for (const name of NAMES) for (const said of ['yes', 'no']) expect(reached).toContain(`${name} ${said}`)
  },
  LIMIT_MS,
)

test(
  'for any requests, the control interface and the hosted page answer, and the ledger is balanced',
  async () => {
    const { sandbox, open } = await openShop()
    const routes = sandbox.app.routes.filter(
      ({ method, path }) => method !== 'ALL' && /^\/(_sandbox|pay)\//.test(path),
    )
    expect(routes.length).toBeGreaterThan(20)
    const control = fc.oneof(...routes.map(({ method, path }) => controlRequest(method, path, open)))
    await fc.assert(
      fc.asyncProperty(
        fc.array(control, { minLength: 1, maxLength: CONTROL_STEPS, size: 'max' }),
        async (steps) => {
          const merchant = await openWorld()
          for (const next of steps) {
            await askControl(merchant, next)
            await merchant.sandbox.app.request('/_sandbox/faults', { method: 'DELETE' })
          }
          await checkBooks(merchant)
        },
      ),
      { numRuns: CONTROL_RUNS, timeout: HANG_MS },
    )
  },
  LIMIT_MS,
)

async function openWorld(): Promise<Merchant> {
  const merchant = await openMerchant()
  const headers = { 'x-access-token': merchant.token() }
  for (const name of NAMES)
    if (isPosted(name)) await merchant.post(endpoints[name].path, EXAMPLES[name], headers)
  await merchant.later(5_000)
  return merchant
}

async function openShop(): Promise<Merchant & { open: Values }> {
  const merchant = await openWorld()
  const { checkout_reference } = await merchant.status()
  const [{ id }] = await merchant.deliveries(charge.external_reference)
  return { ...merchant, open: { reference: [checkout_reference, airtime.reference], id: [id] } }
}

function isPosted(name: Name): name is Posted {
  return Object.hasOwn(EXAMPLES, name)
}

function requestTo(name: Name): fc.Arbitrary<Asked> {
  const { path, request } = endpoints[name]
  const token = fc.oneof(
    { weight: 9, arbitrary: fc.constant('good' as const) },
    { weight: 1, arbitrary: fc.constantFrom('wrong' as const, 'none' as const) },
  )
  return fc.record({
    name: fc.constant(name),
    path: paths(path, VALUES),
    query: name === 'getRates' ? queries(['base_currency'], VALUES) : queries([], VALUES),
    token,
    sent:
      request !== null && isPosted(name)
        ? bodies({ example: EXAMPLES[name], values: VALUES, shape: shapeOf(request) })
        : fc.constant(null),
  })
}

async function ask(merchant: Merchant, asked: Asked): Promise<'yes' | 'no'> {
  const { name, path, query, token, sent } = asked
  const { method, token: header } = endpoints[name]
  const headers = new Headers()
  if (header !== null && token !== 'none')
    headers.set(header, token === 'good' ? merchant.token() : 'made-up')
  if (sent?.contentType) headers.set('content-type', sent.contentType)
  const body = sent && withPaymentIds(sent.body, merchant)
  const init = { method, headers, ...(body !== null && { body }) }
  const answer = await merchant.sandbox.app.request(`${path}${query}`, init)
  const text = await answer.text()
  expect(text).not.toContain(merchant.token())
  expect(text).not.toContain('sandbox-secret')
  return check(name, answer, JSON.parse(text))
}

function withPaymentIds(body: Sent['body'], { callbacks }: Merchant): Sent['body'] {
  if (typeof body !== 'string') return body
  const paid = callbacks.filter(({ text }) => text.includes('"payments"'))
  const ids = paid.flatMap(({ text }) => text.match(/(?<="transaction_id":")[0-9a-f]{24}/g) ?? [])
  return body.replaceAll(/payment-(\d)/g, (_, index) => ids.at(-1 - Number(index)) ?? 'nobody')
}

function check(name: Name, { status, ok }: Response, said: unknown): 'yes' | 'no' {
  const { response, decides } = endpoints[name]
  expect(STATUSES).toContain(status)
  if (ok) {
    expect(response.safeParse(said).error).toBeUndefined()
    return 'yes'
  }
  const shape = name === 'authenticate' ? ERRORS.authentication : ERRORS[decides]
  // A parameter with a slash gives an unknown path, with the 404 response of any endpoint.
  const shapes = status === 404 ? z.union([shape, ERRORS.http, ERRORS.body]) : shape
  expect(shapes.safeParse(said).error).toBeUndefined()
  return 'no'
}

async function checkBooks({ get }: Merchant): Promise<void> {
  const { accounts, totals } = await (await get('/_sandbox/ledger')).json()
  for (const total of Object.values(totals)) expect(total).toBe('0.00')
  for (const { account, balance } of accounts)
    if (/^(float|reserved|held|partner)/.test(account)) expect(compare(balance, '0')).not.toBe(-1)
}

async function checkSecrets({ get, token }: Merchant): Promise<void> {
  const text = await (await get('/_sandbox/requests')).text()
  expect(text).not.toContain(token())
  expect(text).not.toContain('sandbox-secret')
}

function controlRequest(method: string, route: string, open: Values): fc.Arbitrary<Control> {
  const known = { ...KNOWN, ...open }
  const path = fc.tuple(paths(route, known), queries(['reference', 'stay'], known))
  const asked = { method: fc.constant(method), path: path.map((parts) => parts.join('')) }
  if (method !== 'POST') return fc.record({ ...asked, sent: fc.constant(null) })
  const example = CONTROL[route] ?? SCENARIO
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

async function askControl({ sandbox }: Merchant, { method, path, sent }: Control): Promise<void> {
  const headers = new Headers(sent?.contentType ? { 'content-type': sent.contentType } : {})
  const answer = await sandbox.app.request(path, { method, headers, ...(sent && { body: sent.body }) })
  const { status } = answer
  const text = await answer.text()
  expect([200, 202, 303, 400, 404, 409, 413, 415, 422]).toContain(status)
  if (/^(text\/html|$)/.test(answer.headers.get('content-type') ?? '')) return
  const said: unknown = JSON.parse(text)
  if (!answer.ok) expect(ERRORS.http.safeParse(said).error).toBeUndefined()
}
