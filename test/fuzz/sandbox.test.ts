import type { Merchant } from '../sandbox/merchant.ts'
import type { SeededRandom } from '../support/seeded-random.ts'
import type { Subject } from './harness.ts'
import type { Values } from './json.ts'
import type { RequestModel, Sent } from './request.ts'
import { z } from 'zod'
import { compare } from '../../server/contract/decimal.ts'
import { endpoints } from '../../server/contract/endpoints.ts'
import { openMerchant, request as checkout } from '../sandbox/merchant.ts'
import { formIn, openPortal } from '../sandbox/portal-visitor.ts'
import { airtime } from '../support/spec-airtime.ts'
import { charge, confirmation } from '../support/spec-charges.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'
import { codes } from '../support/spec-shapes.ts'
import { attack } from './harness.ts'
import { portalExamples } from './portal-forms.ts'
import { LIBRARY_WORDS } from './library-words.ts'
import { requestNear } from './request.ts'
import { shapeOf } from './shape.ts'

const CALLBACKS = 'http://127.0.0.1:9/callbacks'
/** The number of inputs after which the books are checked. The sandbox is full after some thousand sessions. */
const PER_WORLD = 1_000

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
const NAMES = Object.keys(endpoints).filter((name): name is Name => Object.hasOwn(endpoints, name))
const OTHERS = ['ref-0', 'a/b c?d#é%25']
const PAYOUTS = [localPayout, transfer, b2bPayout].map(({ payout_reference }) => payout_reference)
const DIGITS = '0001 0002 9001 9005 9006 9007 9008 9009 9010 9101 9103 9112'.split(' ')
const PHONES = DIGITS.map((digits) => `25470000${digits}`)
const { sandbox: first, known } = await openWorld()
const { checkout_reference, cookie, ...ids } = known
const frontPage = await first.app.request('/portal', { headers: { cookie } })
// Equal seeds give equal cookies and tokens.
const { csrf = '' } = formIn(await frontPage.text(), 'sign-out').fields
const VALUES: Values = {
  ...ids,
  merchant_transaction_id: [checkout().merchant_transaction_id, charge.external_reference, ...OTHERS],
  external_reference: [charge.external_reference, ...OTHERS],
  payout_reference: [...PAYOUTS, ...OTHERS],
  reference: [airtime.reference, ...OTHERS],
  payer_msisdn: PHONES,
  recipient_phone_number: PHONES,
  phone_number: PHONES,
  status: ['SUCCESSFUL', 'FAILED'],
  payment_method_code: ['MOMO_KEN', 'CARD'],
  client_code: [...Array<string>(12).fill('SANDBOX'), 'SANDBOX-2', 'ANOTHER'],
  account_number: ['ACC-001', 'PARTNER-FEES'],
  email: ['viewer@sandbox.test', 'owner@sandbox.test', 'joy@sandbox.test'],
  key: ['sandbox-key'],
  code: ['CHECKOUT-KES', 'PAYOUT-KES'],
  base_currency: ['KES', 'UGX', 'XXX'],
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
const STATUSES = [200, 201, 202, 204, 302, 303, 304, 400, 401, 403, 404, 409, 413, 415, 422, 429, 503]
/** The maximum length of a list, of an error, and of a page with a refused form, in characters. */
const MOST_CHARACTERS = { list: 2_000_000, error: 50_000, page: 100_000 }

interface Declared {
  method: string
  path: string
  endpoint: Name | null
}

const OF_MERCHANT = '/_sandbox/merchants/:client_code'
// These lead to the same code as the paths of the first merchant; of the codes of merchants, the GET paths are enough.
const isRepeated = (method: string, path: string) => method === 'POST' && path.startsWith(OF_MERCHANT)
const DECLARED = [
  ...new Set(
    first.app.routes
      .filter(({ method, path }) => method !== 'ALL' && !isRepeated(method, path))
      .map(({ method, path }) => `${method} ${path}`),
  ),
].map((text): Declared => {
  const [method = '', path = ''] = text.split(' ')
  const endpoint = NAMES.find((name) => endpoints[name].method === method && endpoints[name].path === path)
  return { method, path, endpoint: endpoint ?? null }
})
const MODELS = DECLARED.map((declared) => ({ declared, model: modelOf(declared) }))

for (const { declared, model } of MODELS)
  attack({
    name: `sandbox: ${declared.method} ${declared.path}`,
    perSubject: PER_WORLD,
    generate: (random: SeededRandom) => ({ declared, sent: requestNear(random, model), seconds: 0 }),
    open: () => openSubject(declared.path.startsWith('/portal')),
  })

attack({
  name: 'sandbox: all routes in turn',
  perSubject: 50,
  isLong: true,
  generate(random: SeededRandom) {
    const { declared, model } = random.pick(MODELS)
    const seconds = random.happens(0.15) ? random.between(1, 90) : 0
    return { declared, sent: requestNear(random, model), seconds }
  },
  open: () => openSubject(true),
})

async function openWorld(isSignedIn = true) {
  const merchant = await openMerchant()
  for (const name of NAMES)
    if (isPosted(name)) await merchant.send(endpoints[name].path, EXAMPLES[name], tokenOf(name, merchant))
  await merchant.later(5_000)
  const visitor = openPortal(merchant.sandbox.app)
  if (isSignedIn) await visitor.signIn()
  const { checkout_reference } = await merchant.status()
  const [{ id }] = await merchant.deliveries(charge.external_reference)
  const paid = merchant.callbacks.flatMap(
    ({ text }) => text.match(/(?<="transaction_id":")[0-9a-f]{24}/g) ?? [],
  )
  return {
    ...merchant,
    known: {
      checkout_reference,
      cookie: visitor.cookie(),
      id: [id],
      payment_id: ['nobody', ...paid],
      token: [merchant.token()],
    },
  }
}

async function openSubject(
  isSignedIn: boolean,
): Promise<Subject<{ declared: Declared; sent: Sent; seconds: number }>> {
  const merchant = await openWorld(isSignedIn)
  return {
    async run({ declared, sent, seconds }) {
      await merchant.later(seconds * 1_000)
      const { method, path, headers, body } = sent
      const asked = merchant.sandbox.app.request(path, { method, headers, body })
      const response = await asked
      const answer = {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        text: await response.text().catch(() => ''),
      }
      const isAccepted = check(declared, sent, answer, merchant)
      await merchant.sandbox.app.request('/_sandbox/faults', { method: 'DELETE' })
      return isAccepted
    },
    async close() {
      await checkBooks(merchant)
      await checkSecrets(merchant)
      merchant.timeline.close()
    },
  }
}

interface Answer {
  status: number
  type: string
  text: string
}

function check(
  { endpoint, method }: Declared,
  sent: Sent,
  { status, type, text }: Answer,
  merchant: Merchant,
): boolean {
  const because = (why: string) => new Error(`${status} ${text.slice(0, 1_000)}: ${why}`)
  const kind = status < 400 ? 'list' : type.startsWith('text/html') ? 'page' : 'error'
  if (text.length > MOST_CHARACTERS[kind]) throw because(`has ${text.length} characters`)
  if (!STATUSES.includes(status)) throw because('has another status')
  if (endpoint !== 'authenticate' && text.includes(merchant.token())) throw because('tells the token')
  if (text.includes('sandbox-secret')) throw because('tells the secret')
  if (status >= 400 && LIBRARY_WORDS.test(text)) throw because('has the words of a library')
  const isOk = status < 400
  if (sent.method !== method || !type.startsWith('application/json')) return isOk
  const said: unknown = JSON.parse(text)
  const { error } = shapeOfAnswer(endpoint, status, isOk).safeParse(said)
  if (error) throw because(error.message)
  return isOk
}

function shapeOfAnswer(endpoint: Name | null, status: number, isOk: boolean): z.ZodType {
  if (isOk) return endpoint === null ? z.unknown() : endpoints[endpoint].response
  const { decides } = endpoints[endpoint ?? 'getRates']
  const shape = endpoint === 'authenticate' ? ERRORS.authentication : ERRORS[decides]
  // A parameter with a slash or `..` gives an unknown path, with the response of any endpoint.
  return status === 404 || status === 403 ? z.union([shape, ERRORS.http, ERRORS.body]) : shape
}

async function checkBooks({ ledger }: Merchant): Promise<void> {
  const { totals, accounts } = await ledger()
  for (const total of Object.values(totals)) if (total !== '0.00') throw new Error(JSON.stringify(totals))
  const own: { account: string; balance: string }[] = accounts
  for (const { account, balance } of own)
    if (/^(float|reserved|held|partner)/.test(account) && compare(balance, '0') < 0)
      throw new Error(`${account} has ${balance}.`)
}

async function checkSecrets({ get, token }: Merchant): Promise<void> {
  const text = await (await get('/_sandbox/requests')).text()
  for (const secret of [token(), 'sandbox-secret'])
    if (text.includes(secret)) throw new Error('The request log tells a secret.')
}

function isPosted(name: Name): name is Posted {
  return Object.hasOwn(EXAMPLES, name)
}

function tokenOf(name: Name, merchant: Merchant): Record<string, string> {
  const { token } = endpoints[name]
  return token === null ? {} : { [token]: merchant.token() }
}

function modelOf({ method, path, endpoint }: Declared): RequestModel {
  const header = endpoint && endpoints[endpoint].token
  const posted = endpoint && isPosted(endpoint) ? endpoint : null
  const examples = posted
    ? [EXAMPLES[posted]]
    : (portalExamples(path, csrf) ?? [CONTROL[path] ?? { scenario: 'success' }])
  const schema = posted && endpoints[posted].request
  const isPortal = path.startsWith('/portal')
  const isPage = path.startsWith('/pay/')
  const reference = [isPage ? checkout_reference : airtime.reference]
  const own = { reference, phone_number: PHONES.slice(0, 2) }
  const values = { ...VALUES, ...(endpoint === null && own) }
  return {
    method,
    path,
    known: values,
    queries: ['base_currency', 'reference', 'stay'],
    headers: header ? { [header]: ids.token } : isPortal ? { cookie: [cookie] } : {},
    body:
      method === 'POST'
        ? { examples, values, shape: schema ? shapeOf(schema) : {}, isForm: isPage || isPortal }
        : null,
  }
}
