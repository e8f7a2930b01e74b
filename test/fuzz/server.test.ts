import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resolveRef, routes, schemas } from '../support/described.ts'
import { conform } from '../support/json-schema.ts'
import { API_KEY, createWorld, SHOP } from '../support/world.ts'
import { paths, queries } from './addresses.ts'
import { bodies } from './bodies.ts'
import { Shape } from './shape.ts'
import type { DescribedRoute } from '../support/described.ts'
import type { World } from '../support/world.ts'
import type { Values } from './addresses.ts'
import type { Sent } from './bodies.ts'

const RUNS = process.env.FULL ? 2_000 : 50
const STEPS = 40
const LIMIT_MS = process.env.FULL ? 1_800_000 : 120_000
const HANG_MS = 60_000

const BEGUN = routes.flatMap(({ id, path, body, needsKey }) =>
  body && needsKey && !path.includes(':') ? [{ id, path, example: body.example }] : [],
)
const REFERENCES = [...BEGUN.flatMap(({ example }) => referencesIn(example)), 'ref-0', 'a/b c?d#é%25']
const ORDERS = ['A-1', 'A-2', 'nobody']
const PHONES = ['0001', '9001', '9007', '9008', '9009', '9101', '9103', '9112'].map(
  (digits) => `25470000${digits}`,
)
const VALUES: Values = {
  payout_reference: REFERENCES,
  external_reference: REFERENCES,
  reference: [...REFERENCES, ...ORDERS],
  key: ORDERS,
  order: ORDERS,
  recipient_phone_number: PHONES,
  payer_msisdn: PHONES,
  phone_number: PHONES,
  account_number: ['ACC-001', 'ACC-002'],
  status: ['SUCCESSFUL', 'FAILED'],
}
const QUERIES: Values = {
  base_currency: ['KES', 'XXX'],
  from: ['KES', 'XXX'],
  to: ['UGX', 'KES'],
  amount: ['100', '0.005'],
  outcome: ['pending', 'succeeded', 'paid'],
  updated_since: ['2026-11-21T09:00:00Z', '2026-11-21'],
}
const ASKED = routes.filter(({ isStream }) => !isStream)

interface Asked {
  id: string
  path: string
  key: string | null
  sent: Sent | null
}

const step = fc.oneof(
  ...ASKED.map((operation) => ({ weight: operation.body ? 3 : 2, arbitrary: requestTo(operation) })),
  { weight: 3, arbitrary: fc.record({ seconds: fc.integer({ min: 1, max: 300 }) }) },
)

test(
  'whatever the server is sent, it answers only what its description says, and tells no secret',
  async () => {
    const reached = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: STEPS, size: 'max' }), async (steps) => {
        const world = await openWorld()
        for (const next of steps) {
          if ('seconds' in next) await world.later(next.seconds * 1_000)
          else reached.add(`${next.id} ${await ask(world, next)}`)
        }
        await checkBooks(world)
      }),
      { numRuns: RUNS, timeout: HANG_MS },
    )
    // Proves coverage: each endpoint has accepted at least one request.
    for (const { id } of BEGUN) expect(reached).toContain(`${id} yes`)
  },
  LIMIT_MS,
)

function referencesIn(example: object): string[] {
  return Object.entries(example).flatMap(([name, value]) =>
    name.endsWith('reference') ? [String(value)] : [],
  )
}

async function openWorld(): Promise<World> {
  const world = await createWorld()
  for (const order of ORDERS.slice(0, 2)) world.order(order)
  for (const { path, example } of BEGUN) await world.api(path.replace('/api', ''), example)
  await world.later(60_000)
  return world
}

function requestTo(operation: DescribedRoute): fc.Arbitrary<Asked> {
  const { id, path, queries: names, body } = operation
  const own = BEGUN.filter((begun) => path.startsWith(`${begun.path}/`))
  const reference = own.flatMap(({ example }) => referencesIn(example))
  const known = reference.length > 0 ? { ...VALUES, reference: [...reference, 'ref-0'] } : VALUES
  return fc.record({
    id: fc.constant(id),
    path: fc.tuple(paths(path, known), queries(names, QUERIES)).map((parts) => parts.join('')),
    key: fc.oneof(
      { weight: 12, arbitrary: fc.constant(API_KEY) },
      { weight: 1, arbitrary: fc.constantFrom(null, '', 'made-up', `${API_KEY}x`) },
    ),
    sent: body
      ? bodies({ example: body.example, values: VALUES, shape: Shape.parse(resolveRef(body.schema)) })
      : fc.constant(operation.method === 'POST' ? { contentType: null, body: '' } : null),
  })
}

async function ask(world: World, { id, path, key, sent }: Asked): Promise<'yes' | 'no'> {
  const operation = ASKED.find((one) => one.id === id)
  if (!operation) throw new Error(`Nobody described ${id}.`)
  const { method, answers, problems } = operation
  const headers = new Headers({ accept: 'application/json', origin: SHOP })
  if (key !== null) headers.set('authorization', `Bearer ${key}`)
  if (sent?.contentType) headers.set('content-type', sent.contentType)
  const answer = await world.ask(path, { method, headers, ...(sent && { body: sent.body }) })
  const text = await answer.text()
  for (const secret of [API_KEY, 'sandbox-secret', 'sandbox-key', 'whsec_'])
    expect(text).not.toContain(secret)
  const schema = answers.get(answer.status)
  if (schema !== undefined) {
    if (schema !== null) expect(conform(JSON.parse(text), schema, schemas)).toEqual([])
    return 'yes'
  }
  const problem = JSON.parse(text)
  expect(conform(problem, schemas['Problem'] ?? {}, schemas)).toEqual([])
  expect(problem.status).toBe(answer.status)
  expect(problem.code).not.toBe('internal')
  // An empty path parameter or `..` gives an unknown path.
  const codes = [...problems, { status: 404, code: 'not_found' }]
  expect(codes).toContainEqual({ status: answer.status, code: problem.code })
  return 'no'
}

async function checkBooks({ sandbox }: World): Promise<void> {
  const { totals } = await (await sandbox.app.request('/_sandbox/ledger')).json()
  for (const total of Object.values(totals)) expect(total).toBe('0.00')
}
