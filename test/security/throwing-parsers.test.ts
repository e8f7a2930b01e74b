import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../server/contract/endpoints.ts'
import { isAllowedReturn } from '../../server/routes/origin.ts'
import { readView } from '../../widget/answer.ts'
import { problemsOf } from '../support/least-config.ts'
import { readSources } from '../support/source-tree.ts'
import { placesIn, Shape } from '../fuzz/shape.ts'
import { resolveRef, routes } from '../support/described.ts'
import { createScriptedGateway, failureOf, ID, json } from '../support/scripted-gateway.ts'
import { checkoutPayload } from '../support/spec-shapes.ts'
import { API_KEY, createWorld, PAYER, SHOP } from '../support/world.ts'
import type { Place } from '../fuzz/shape.ts'

const THROWING: readonly unknown[] = [
  { length: { toString: 1 } },
  { size: { toString: 1, valueOf: 1 } },
  { toString: 1, valueOf: 1, toJSON: 1 },
  [{ length: { valueOf: 1, toString: null } }],
]

const BODIES = routes.flatMap(({ path, body, method }) => {
  if (method !== 'POST' || !body) return []
  const shape = Shape.parse(resolveRef(body.schema))
  return [[path, body.example, placesIn(body.example, shape)] as const]
})

// Without FULL, each place has one of the values.
const isFull = Boolean(process.env.FULL)
let turn = 0

describe('a value on which a parser throws', () => {
  test.each(BODIES)('in a body of %s is refused', async (path, example, places) => {
    const world = await createWorld()
    for (const place of [[], ...places])
      for (const value of isFull ? THROWING : [THROWING[(turn += 1) % THROWING.length]]) {
        const answer = await world.ask(path.replaceAll(/:\w+/g, 'C-1'), {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: SHOP, authorization: `Bearer ${API_KEY}` },
          body: JSON.stringify(put(example, place, value)),
        })
        expect([place, answer.status < 500], await answer.text()).toEqual([place, true])
      }
  })

  test("in the merchant's order is refused, and the log names the field", async () => {
    const world = await createWorld()
    for (const value of THROWING)
      for (const field of [
        ...Object.keys(ORDER),
        'account',
        'service',
        'splits',
        'return_url',
        'payer.name',
      ]) {
        world.orders.set('A-1', Object(put(ORDER, field.split('.'), value)))
        const answer = await world.initiate('A-1', PAYER)
        expect([field, answer.status]).toEqual([field, 503])
        expect(world.logged.at(-1)?.message).toContain(field)
      }
  })

  test('in a response of the gateway is an invalid response, not an error of ours', async () => {
    for (const field of Object.keys(endpoints.getCheckoutStatus.response.shape))
      for (const value of THROWING.slice(0, 3)) {
        const gateway = createScriptedGateway(() => json({ ...checkoutPayload, [field]: value }))
        const call = gateway.outcome(gateway.client.getCheckoutStatus(ID))
        if (IGNORED_IF_INVALID.includes(field)) expect(await call).toMatchObject({ status: 801 })
        else expect([field, (await failureOf(call)).code]).toEqual([field, 'gateway_answer_invalid'])
      }
  })
})

describe('JSON that is nested too deeply to be written again', () => {
  const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`
  const added = (example: unknown) => JSON.stringify(example).replace(/}$/, `,"added":${nested}}`)

  test.each(BODIES)('is refused in a body of %s', async (path, example) => {
    const world = await createWorld()
    const answer = await world.ask(path.replaceAll(/:\w+/g, 'C-1'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: SHOP, authorization: `Bearer ${API_KEY}` },
      body: added(example),
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })

  test('is an invalid response of the gateway', async () => {
    const gateway = createScriptedGateway(() => new Response(added(checkoutPayload)))
    const failure = await failureOf(gateway.outcome(gateway.client.getCheckoutStatus(ID)))
    expect(failure.code).toBe('gateway_answer_invalid')
  })
})

// Once Node 20 has optimized it, URL.canParse accepts this host, and new URL throws.
const LATIN = 'http://\u00de\u009b'

test('text that optimized code takes for a URL is refused all the same', () => {
  const isAllowed = (url: string) => isAllowedReturn(url, [SHOP])
  for (let round = 0; round < 50_000; round++)
    expect(isAllowed(round % 2 ? SHOP : LATIN)).toBe(round % 2 === 1)
  const users = readSources('server', 'demo').filter(({ path }) =>
    /URL\.canParse\(/.test(readFileSync(path, 'utf8')),
  )
  expect(users.map(({ path }) => path)).toEqual([])
})

test('no schema compares the length of a value that may have another type', () => {
  const isHasty = (text: string) => /z\s*\.(string|array)\([^)]*\)\s*\.(min|max|length|nonempty)\(/.test(text)
  const files = readSources('server', 'demo').filter(({ path }) => isHasty(readFileSync(path, 'utf8')))
  expect(files.map(({ path }) => path)).toEqual([])
})

describe('a value on which a parser throws, elsewhere:', () => {
  test.each(THROWING)('in ORDER_PUBLIC_KEYS, it is named as a problem of the configuration', (value) => {
    for (const keys of [value, [{ kid: value }], [{ kid: 'a', crv: value }]])
      expect(problemsOf({ ORDER_PUBLIC_KEYS: JSON.stringify({ keys }) })).toEqual([
        expect.stringContaining('ORDER_PUBLIC_KEYS must be'),
      ])
  })

  test.each(THROWING)('in a fault of the sandbox, it is refused', async (route) => {
    const { sandbox } = await createWorld()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ fault: 'html', route })
    const answer = await sandbox.app.request('/_sandbox/faults', { method: 'POST', headers, body })
    expect(answer.status).toBe(400)
  })

  test('a view whose version is not a number is no view', async () => {
    const world = await createWorld()
    world.order('A-1')
    const view = await world.start('A-1', PAYER)
    expect(readView(view)).toEqual(view)
    for (const version of THROWING) expect(readView({ ...view, version })).toBeNull()
  })
})

const ORDER = { order: 'A-1', amount: '500', currency: 'KES', narration: 'Two kangas' }
const IGNORED_IF_INVALID = ['amount', 'checkout_reference', 'currency']

function put(whole: unknown, [name, ...rest]: Place, value: unknown): unknown {
  if (name === undefined) return value
  if (Array.isArray(whole))
    return whole.map((item, index) => (index === name ? put(item, rest, value) : item))
  return { ...Object(whole), [name]: put(Object(whole)[name], rest, value) }
}
