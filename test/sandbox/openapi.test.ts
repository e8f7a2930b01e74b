import { Validator } from '@seriousme/openapi-schema-validator'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

import { createApp } from '../../demo/sandbox/app.ts'
import { createSandbox, createTimeline } from '../../demo/sandbox/index.ts'
import { createJournal } from '../../demo/sandbox/journal/journal.ts'
import { createClock } from '../../demo/sandbox/journal/state-clock.ts'
import { SEEDED_MERCHANTS } from '../../demo/sandbox/merchants/seeded-merchants.ts'
import { createSimulation } from '../../demo/sandbox/world.ts'
import { ENDPOINTS } from '../../server/conformance/endpoints.ts'
import { openGateway, withPortal } from '../../server/conformance/gateway.ts'
import { operationsOf } from '../../server/openapi/document.ts'
import { connectToSandbox } from '../conformance/in-process.ts'
import { gapsIn } from '../support/json-schema.ts'
import { watch } from '../support/openapi-watcher.ts'
import { sourcesIn } from '../support/source-tree.ts'
import { redirectCharge } from '../support/spec/charges.ts'
import { posted } from '../support/worlds/sandbox-line.ts'

import type { ChargeDialect } from '../../demo/sandbox/index.ts'
import type { Document } from '../../server/openapi/document.ts'

/** The routes of a state of the sandbox, which the sandbox keeps behind its journal. */
function routesOf(charges: ChargeDialect) {
  const clock = createClock(createTimeline({ wall: null }), createJournal(), 0)
  const given = { users: [], fetch: () => new Response(), seed: 1, callbackHosts: [], portal: {} }
  const environment = 'sandbox'
  const simulation = createSimulation({
    merchants: SEEDED_MERCHANTS.sandbox,
    clock,
    charges,
    environment,
    ...given,
  })
  return createApp(simulation, undefined).routes
}

describe.each(['spec', 'flat'] as const)('with charges of the dialect %s', (charges) => {
  const { app } = createSandbox({ charges })
  const read = async (): Promise<Document> => (await app.request('/openapi.json')).json()

  test('the document is valid OpenAPI 3.1', async () => {
    const document = await read()
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(await new Validator().validate(document)).toEqual({ valid: true })
  })

  test('the document has every endpoint that the sandbox answers, and no other', async () => {
    const served = routesOf(charges)
      .filter(({ method, path }) => method !== 'ALL' && /^\/(v\d|transactions)\//.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`)
    const described = operationsOf(await read())
      .filter(({ path }) => path.startsWith('/'))
      .map(({ method, path }) => `${method} ${path}`)
    expect(described.toSorted()).toEqual(served.toSorted())
  })

  test('every field has a description, and every text and number an example', async () => {
    const document = await read()
    const bodies = operationsOf(document).flatMap(({ operationId, requestBody, responses }) =>
      [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}).map(
          ({ schema }) => [operationId, { description: 'A body.', ...schema }] as const,
        ),
      ),
    )
    const named = Object.entries(document.components.schemas)
    expect(
      [...bodies, ...named].flatMap(([name, schema]) => gapsIn(schema, name, document.components.schemas)),
    ).toEqual([])
  })

  test('every request of the document can be tried, in its order', async () => {
    const document = await read()
    const send = async (at: string, init: RequestInit) => (await app.request(at, init)).json()
    const { paths } = document
    const example = paths['/v1/auth']?.['post']?.requestBody?.content['application/json']?.example
    const { access_token } = await send('/v1/auth', posted(example))
    const headers = { 'x-access-token': access_token }
    // The ids of payments and charges are the gateway's.
    const NEED_AN_ID = ['confirmService', 'getTransaction']
    for (const { operationId, method, path, parameters, requestBody } of operationsOf(document)) {
      if (!path.startsWith('/') || NEED_AN_ID.includes(operationId)) {
        continue
      }

      const at = parameters.reduce(
        (text, { name, in: place, schema }) =>
          place === 'path'
            ? text.replace(`{${name}}`, String(schema.examples?.[0]))
            : `${text}?${name}=${String(schema.examples?.[0])}`,
        path,
      )
      const body = requestBody?.content['application/json']?.example
      const { status } = await app.request(at, body ? posted(body, headers) : { method, headers })
      expect({ operationId, status }).toEqual({
        operationId,
        status: method === 'POST' && /auth|\/charge/.test(path) ? 201 : 200,
      })
    }
  })

  test('callbacks of charges are as the document says', async () => {
    const { connection, result } = await watch(connectToSandbox(charges))
    const gateway = await openGateway(connection)
    await withPortal(gateway, 'charge_callback_url', async () => {
      const request = { ...redirectCharge, payment_method_code: 'MOMO_KEN' }
      expect((await gateway.post(gateway.chargePath(), request)).status).toBe(201)
      await gateway.advanceClock(10_000)
    })
    expect(result()).toMatchObject({ disagreements: [], compared: { callbacks: charges === 'flat' ? 2 : 1 } })
  })
})

test('what disagrees with the document is found', async () => {
  const sandbox = connectToSandbox()
  const { connection, result } = await watch({
    ...sandbox,
    async fetch(url, init) {
      const response = await sandbox.fetch(url, init)
      return url.includes('/balance') ? Response.json({ balance: 7 }, { status: 200 }) : response
    },
  })
  const gateway = await openGateway(connection)
  await gateway.get('/v1/accounts/ACC-001/balance')
  expect(result().disagreements).toEqual([
    expect.stringContaining('GET /v1/accounts/{account_number}/balance 200'),
  ])
})

const readme = readFileSync('demo/sandbox/README.md', 'utf8')

test('the README lists every file that has an [assumed]', () => {
  const files = sourcesIn('demo/sandbox', 'server/contract')
  const assuming = files.filter((path) => readFileSync(path, 'utf8').includes('[assumed]'))
  const named = (path: string) => readme.includes(`\`${path.replace(/^(demo\/sandbox|server)\//, '')}\``)
  expect(assuming.length).toBeGreaterThan(20)
  expect(assuming.filter((path) => !named(path))).toEqual([])
})

test('every assumption of the list is about an endpoint, or about what is beside them', () => {
  const [, list = ''] = readme.split('\n## Assumed\n')
  const listed = [...list.matchAll(/^\| (\S.*?) \|.*`/gm)].map(([, name]) => name)
  const named = Object.values(ENDPOINTS).flatMap(({ assumed }) => assumed.split('; '))
  expect(new Set(named)).toEqual(new Set(listed))
})
