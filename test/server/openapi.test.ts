import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { EVENTS } from '../../server/api/events.ts'
import { PROBLEMS } from '../../server/api/problem-codes.ts'
import { version } from '../../server/package.json'
import { createApiWorld } from '../support/api-world.ts'
import { describedApp, document, parts, routes, schemas } from '../support/described.ts'
import type { JsonSchema } from '../../server/routes/docs/document.ts'
import type { Schema } from '../support/json-schema.ts'
import { conform } from '../support/json-schema.ts'
import { charge, confirmation } from '../support/spec-charges.ts'
import { airtime } from '../support/spec-airtime.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'

const readme = readFileSync('server/README.md', 'utf8')
const operations = Object.entries(parts.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
)

test('every mounted route is in the document', () => {
  const mounted = describedApp.routes
    .filter(({ method, path }) => method !== 'ALL' && /^\/(checkout|callbacks|api|health)\//.test(path))
    .map(({ method, path }) => `${method} ${path}`)
  const described = routes.map(({ method, path }) => `${method} ${path}`)
  expect(described.toSorted()).toEqual([...new Set(mounted)].toSorted())
})

test('the README has a row for each route, in the words of the document', () => {
  const rows = operations.map(({ method, path, summary, responses }) => {
    const answers = Object.entries(responses).flatMap(([status, { description, content }]) =>
      'application/problem+json' in content ? [] : [`\`${status}\` ${description}`],
    )
    return `| \`${method} ${path}\` | ${summary} | ${answers.join('<br>')} |`
  })
  const written = readme
    .split('\n')
    .filter((line) => /^\| `(GET|POST) \/(checkout|callbacks|api|health)\//.test(line))
  expect(written).toEqual(rows)
})

test('the README names every problem code', () => {
  for (const code of Object.keys(PROBLEMS)) expect(readme).toContain(`\`${code}\``)
})

test('the version is that of the package', () => {
  expect(document.info.version).toBe(version)
})

test('every operation has its own id', () => {
  const ids = routes.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every part of a path is a parameter', () => {
  for (const { path, parameters } of operations) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    expect(parameters.flatMap((each) => (each.in === 'path' ? [each.name] : []))).toEqual(names)
  }
})

test('every route below /api needs the key, and no other does', () => {
  for (const { path, needsKey } of routes) expect([path, needsKey]).toEqual([path, path.startsWith('/api/')])
})

test('every event is a webhook whose body names its type', () => {
  const described = Object.entries(parts.webhooks).map(([name, { post }]) => {
    const [body] = Object.values(post.requestBody?.content ?? {})
    return [name, body?.schema.properties?.['type']?.const, post.description]
  })
  expect(described).toEqual(Object.entries(EVENTS).map(([type, when]) => [type, type, when]))
})

test('every problem code and every event type is published as an enumeration', () => {
  expect(schemas['Problem']?.properties?.['code']?.enum).toEqual(Object.keys(PROBLEMS))
  expect(schemas['ListedEvent']?.properties?.['type']?.enum).toEqual(Object.keys(EVENTS))
})

test('every field and parameter has a description, and every text and number an example', () => {
  const named = Object.entries(parts.components.schemas)
  const bodies = Object.entries(parts.webhooks).flatMap(([name, { post }]) =>
    Object.values(post.requestBody?.content ?? {}).map(({ schema }) => [name, schema] as const),
  )
  const parameters = operations.flatMap(({ operationId, parameters: all }) =>
    all.map(
      ({ name, description, schema }) => [`${operationId} ${name}`, { ...schema, description }] as const,
    ),
  )
  expect([...named, ...bodies, ...parameters].flatMap(([name, schema]) => gapsIn(schema, name))).toEqual([])
  expect(gapsIn({ properties: { amount: { type: 'string' } } }, 'Body')).toEqual([
    'Body has no description',
    'Body.amount has no description',
    'Body.amount has no example',
  ])
})

test('callback_url is not asked of the merchant', () => {
  for (const { properties } of Object.values(schemas)) {
    expect(Object.keys(properties ?? {})).not.toContain('callback_url')
  }
})

test('fields of each payout are those of the specification', () => {
  const { PayoutRequest, TransferRequest, B2bRequest } = schemas
  const fields = (schema?: Schema) => Object.keys(schema?.properties ?? {}).toSorted()
  const withBank = (request: object) => [...Object.keys(request), 'recipient_bank_code'].toSorted()
  expect(fields(PayoutRequest)).toEqual(withBank(localPayout))
  expect(fields(TransferRequest)).toEqual(withBank(transfer))
  expect(fields(B2bRequest)).toEqual(Object.keys(b2bPayout).toSorted())
})

test('fields of a charge and of its confirmation are those of the specification', () => {
  const { ChargeRequest, AcknowledgeRequest } = schemas
  const named = Object.keys({ ...charge, transaction_charge: 0 }).toSorted()
  expect(Object.keys(ChargeRequest?.properties ?? {}).toSorted()).toEqual(named)
  const { payment_id: _, ...said } = confirmation
  expect(Object.keys(AcknowledgeRequest?.properties ?? {}).toSorted()).toEqual(Object.keys(said).toSorted())
})

test('the served document is the same, and holds no secret', async () => {
  const answer = await describedApp.request('/openapi.json')
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(JSON.parse(text).paths).toEqual(JSON.parse(JSON.stringify(document.paths)))
  for (const secret of ['sandbox-key', 'sandbox-secret', 'whsec_']) {
    expect(text).not.toContain(secret)
  }
})

describe('the page for people', () => {
  let page: string
  let policy: string
  beforeAll(async () => {
    const answer = await describedApp.request('/docs')
    expect(answer.status).toBe(200)
    policy = answer.headers.get('content-security-policy') ?? ''
    page = await answer.text()
  })

  test('names every route, every event and every schema', () => {
    for (const { summary, path } of operations) {
      expect(page).toContain(summary.replaceAll("'", '&#39;'))
      expect(page).toContain(path)
    }
    for (const name of Object.keys(schemas)) expect(page).toContain(`id="${name}"`)
    for (const type of Object.keys(EVENTS)) expect(page).toContain(`id="${type}"`)
  })

  test('leads nowhere that is not on it', () => {
    for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) expect(page).toContain(`id="${id}"`)
  })

  test('loads nothing, and may not', () => {
    expect(policy).toContain("default-src 'none'")
    expect(page).not.toMatch(/<script|<link|<img|\ssrc=|url\(|@import|\sstyle=/)
    const nonce = /style-src 'nonce-([\w-]+)'/.exec(policy)?.[1]
    expect(page).toContain(`<style nonce="${nonce}">`)
  })
})

describe('what is answered has the shape that is described', () => {
  test('checkouts, payouts, charges, airtime, events, history, rates, balance and problems', async () => {
    const shop = await createApiWorld()
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    await shop.post('/payouts', localPayout)
    await shop.post('/payouts/imt', transfer)
    await shop.post('/payouts/b2b', b2bPayout)
    await shop.post('/charges', charge)
    await shop.post('/airtime', airtime)
    await shop.later(5 * 60_000)
    const [event] = (await shop.get('/events')).body.items
    const answers: Record<string, { status: number; body: unknown }[]> = {
      CheckoutView: [await shop.get('/checkouts/A-1')],
      CheckoutPage: [await shop.get('/checkouts')],
      TrackedPayout: [
        await shop.post('/payouts', localPayout),
        await shop.get('/payouts/FAMILY-1'),
        await shop.get('/payouts/SUPPLIER-1'),
      ],
      PayoutPage: [await shop.get('/payouts')],
      TrackedCharge: [await shop.post('/charges', charge), await shop.get('/charges/ORDER-7731')],
      ChargePage: [await shop.get('/charges')],
      TrackedFulfilment: [
        await shop.post('/charges/ORDER-7731/acknowledge', { status: 'SUCCESSFUL', narration: 'Delivered' }),
      ],
      TrackedAirtime: [await shop.post('/airtime', airtime), await shop.get('/airtime/AIRTIME-1')],
      AirtimePage: [await shop.get('/airtime')],
      EventPage: [await shop.get('/events')],
      ReplayedEvent: [await shop.post(`/events/${event.id}/replay`)],
      History: [
        await shop.get('/history/A-1'),
        await shop.get('/history/WAGES-1'),
        await shop.get('/history/AIRTIME-1'),
      ],
      Rates: [await shop.get('/fx?base_currency=KES')],
      Quote: [await shop.get('/fx/quote?from=KES&to=UGX&amount=100')],
      Balance: [await shop.get('/accounts/ACC-001/balance')],
      Problem: [await shop.get('/payouts/NOBODY'), await shop.post('/payouts', {}), await shop.get('/fx')],
    }
    for (const [name, given] of Object.entries(answers)) {
      for (const { status, body } of given) {
        expect(conform(body, schemas[name]!, schemas), name).toEqual([])
        expect(status, name).toBeLessThan(name === 'Problem' ? 500 : 300)
      }
    }
  })

  test.each(routes.filter(({ body, path }) => body && path.startsWith('/api/') && !path.includes(':')))(
    'the example of $id is accepted',
    async ({ path, body }) => {
      const shop = await createApiWorld()
      const { status, body: tracked } = await shop.post(path.replace('/api', ''), body?.example)
      expect(tracked).toMatchObject({ outcome: 'pending' })
      expect(status).toBe(201)
    },
  )
})

/** What is missing in a schema and in every field below it. Components are visited by their own names. */
function gapsIn(schema: JsonSchema, at: string): string[] {
  const name = schema.$ref?.split('/').at(-1)
  const { description, examples } = name === undefined ? schema : (parts.components.schemas[name] ?? {})
  return [
    ...(description ? [] : [`${at} has no description`]),
    ...(needsExample(schema) && !examples ? [`${at} has no example`] : []),
    ...fieldsOf(schema).flatMap(([field, below]) => gapsIn(below, `${at}.${field}`)),
  ]
}

/** The fields of an object, of each variant of a union, and of the items of a list. */
function fieldsOf({
  properties = {},
  anyOf = [],
  items,
  additionalProperties,
}: JsonSchema): [string, JsonSchema][] {
  const values = Inside.safeParse(additionalProperties)
  const inside = [...anyOf, ...(items ? [items] : []), ...(values.success ? [values.data] : [])]
  return [...Object.entries(properties), ...inside.flatMap(fieldsOf)]
}

const Inside = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)

function needsExample({ type, anyOf, enum: values, const: value }: JsonSchema): boolean {
  if (values !== undefined || value !== undefined) return false
  if (anyOf) return anyOf.some(needsExample)
  return [type].flat().some((each) => each === 'string' || each === 'number' || each === 'integer')
}
