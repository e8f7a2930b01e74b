import addFormats from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'

import { describedApp, document, resolveRef, routes } from '../support/described.ts'
import { API_KEY, BFF, ENVIRONMENT, SHOP } from '../support/worlds/environment.ts'
import { attack } from './harness.ts'
import { BEGUN, KNOWN, openStockedServer, ORDERS, referencesIn } from './instant-server.ts'
import { LIBRARY_WORDS } from './library-words.ts'
import { requestNear } from './request.ts'
import { Shape } from './shape.ts'

import type { DescribedRoute } from '../support/described.ts'
import type { Subject } from './harness.ts'
import type { InstantServer } from './instant-server.ts'
import type { Values } from './json.ts'
import type { RequestModel, Sent } from './request.ts'

const REFERENCES = [...BEGUN.flatMap(({ example }) => referencesIn(example)), 'ref-0', 'a/b c?d#é%25']
const PHONES = ['0001', '9001', '9007', '9008', '9009', '9101', '9103', '9112'].map(
  (digits) => `25470000${digits}`,
)
const CURSORS = [[0, ''], [1_795_251_600_000, 'a'], [2 ** 53, '\0'], 0, 7].map((place) =>
  Buffer.from(JSON.stringify(place)).toString('base64url'),
)
const PAYMENT_CURSOR = Buffer.from(JSON.stringify([1_795_251_600_000, 'a', '', 'paid', 'KES'])).toString(
  'base64url',
)
const stock = await openStockedServer()
const VALUES: Values = {
  checkout_id: stock.views.map(({ checkout_id }) => checkout_id),
  id: [...stock.events, ...stock.links].map(({ id }) => id),
  token: stock.server.tokens,
  payout_reference: REFERENCES,
  external_reference: REFERENCES,
  reference: [...REFERENCES, ...ORDERS, KNOWN],
  key: ORDERS,
  order: [...ORDERS, ...stock.names],
  recipient_phone_number: PHONES,
  payer_msisdn: PHONES,
  phone_number: PHONES,
  account_number: ['ACC-001', 'ACC-002'],
  status: ['SUCCESSFUL', 'FAILED'],
  country: ['KE', 'CI', 'XX'],
  return_url: [`${SHOP}/basket`, 'https://evil.example', `${SHOP}/%2e%2e`],
  lang: ['sw', 'ar', 'en_US'],
  base_currency: ['KES', 'XXX'],
  from: ['KES', 'XXX'],
  to: ['UGX', 'KES'],
  amount: ['100', '0.005'],
  outcome: ['pending', 'succeeded', 'paid'],
  updated_since: ['2026-11-21T09:00:00Z', '2026-11-21'],
  cursor: CURSORS,
  receipt: ['SKL4XR7M2P', 'skl4 xr7m2p'],
  day: ['2026-11-21', '2026-11-01..2026-11-30'],
  phone: PHONES,
  phone_ends: ['0001'],
  chapter: ['checkout', 'payouts', 'b2b', 'airtime', 'charges', '__proto__'],
}
const SECRETS = [API_KEY, 'sandbox-secret', 'sandbox-key', String(ENVIRONMENT.MERCHANT_WEBHOOK_SECRET)]
const HEADERS = {
  accept: ['application/json', 'application/json', 'text/html'],
  origin: [SHOP],
  authorization: [`Bearer ${API_KEY}`, `bearer  ${API_KEY}`],
}
const MAX_CHARACTERS = 400_000
const PROXY = { incoming: { socket: { remoteAddress: '127.0.0.1' } } }
const NO_ROUTE = { answers: null, problems: [], queries: [], body: null, isStream: false }

const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema(document, 'document')

/** All routes that the app declares, also those that the OpenAPI document leaves out. */
const DECLARED = new Map(
  describedApp.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }): [string, Declared] => [
      `${method} ${path}`,
      routes.find((each) => each.method === method && each.path === path) ?? { ...NO_ROUTE, method, path },
    ]),
)
type Declared = Pick<DescribedRoute, 'method' | 'path' | 'problems' | 'queries' | 'isStream' | 'body'> & {
  answers: DescribedRoute['answers'] | null
}

const MODELS = [...DECLARED.values()].map((declared) => ({ declared, model: modelOf(declared) }))

for (const { declared, model } of MODELS) {
  attack<Sent>({
    name: `${declared.method} ${declared.path}`,
    generate: (random) => requestNear(random, model),
    open: () => openRoute(declared),
  })
}

async function openRoute(declared: Declared): Promise<Subject<Sent>> {
  const { server } = await openStockedServer()
  // The first request of these routes creates what all later ones are sent. `/link/..` is the path of the first page.
  if (declared.answers === null) {
    await server.app.request(declared.path)
  }
  if (new URL(declared.path.replace(/:.*/, '..'), BFF).pathname === '/') {
    await server.app.request('/')
  }

  return {
    async run(sent) {
      const answer = await server.wait(sent.luck, async () => readAnswer(await send(server.app, sent)))
      if (server.logged.length > 0) {
        throw new Error(server.logged.join())
      }
      return check(declared, sent, answer)
    },
    close: () => server.close(),
  }
}

function send(app: InstantServer['app'], { method, path, headers, body }: Sent) {
  return app.request(`${BFF}${path}`, { method, headers, body }, PROXY)
}

interface Answer {
  status: number
  type: string
  text: string
}

/** Reads a response; of an endless one only the first event. */
async function readAnswer(response: Response): Promise<Answer> {
  const { status, headers, body } = response
  const type = headers.get('content-type') ?? ''
  if (!type.startsWith('text/event-stream') || !body) {
    return { status, type, text: await response.text() }
  }

  const reader = body.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return { status, type, text: Buffer.from(value ?? []).toString() }
}

/** Returns whether the answer is a success. Throws if the description does not allow the answer. */
function check(
  { method, path, answers, problems, isStream }: Declared,
  sent: Sent,
  { status, type, text }: Answer,
): boolean {
  const because = (why: string) => new Error(`${status} ${text.slice(0, 1_000)}: ${why}`)
  for (const secret of SECRETS) {
    if (text.includes(secret)) {
      throw because('tells a secret')
    }
  }

  if (text.length > MAX_CHARACTERS) {
    throw because(`has ${text.length} characters`)
  }
  if (LIBRARY_WORDS.test(text)) {
    throw because('has the words of a library')
  }

  // Without its last parameter, a path is that of another route: a slash at its end says nothing.
  const isOtherPath = path.includes(':') && new URL(`${BFF}${sent.path}`).pathname.endsWith('/')
  if (answers === null || sent.method !== method || isOtherPath) {
    if (status >= 500 && problems.every((each) => each.status !== status)) {
      throw because('is an error of the server')
    }
    return status < 400
  }

  const isJson = /^application\/(problem\+)?json/.test(type)
  const pointer = answers.get(status)
  if (pointer !== undefined) {
    const wrong = pointer === null || isStream || !isJson ? '' : disagreement(JSON.parse(text), pointer)
    if (wrong) {
      throw because(wrong)
    }
    return true
  }

  // An empty path parameter or `..` gives an unknown path.
  const allowed = [...problems, { status: 404, code: 'not_found' }].filter((each) => each.status === status)
  if (!isJson && allowed.length > 0) {
    return false
  }

  const problem = JSON.parse(text)
  const wrong = disagreement(problem, 'components/schemas/Problem')
  if (wrong) {
    throw because(wrong)
  }
  if (problem.status !== status || problem.code === 'internal') {
    throw because('is no such problem')
  }
  if (!allowed.some(({ code }) => code === problem.code)) {
    throw because('is not described')
  }
  return false
}

function disagreement(value: unknown, pointer: string): string {
  const validate = ajv.getSchema(`document#/${pointer}`)
  return validate?.(value) ? '' : ajv.errorsText(validate?.errors)
}

function modelOf({ method, path, body, queries }: Declared): RequestModel {
  const own = BEGUN.filter((begun) => path.startsWith(`${begun.path}/`)).flatMap(({ example }) =>
    referencesIn(example),
  )
  const values = {
    ...VALUES,
    ...(own.length > 0 && { reference: [...own, 'ref-0'] }),
    ...(path === '/api/payments' && { cursor: [PAYMENT_CURSOR] }),
  }
  return {
    method,
    path,
    known: values,
    queries,
    headers: HEADERS,
    body: body && { examples: [body.example], values, shape: Shape.parse(resolveRef(body.schema)) },
  }
}
