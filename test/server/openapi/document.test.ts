import { Validator } from '@seriousme/openapi-schema-validator'
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'

import { EVENTS } from '../../../server/api/kind-table.ts'
import { PROBLEMS, PROBLEM_HELP } from '../../../server/api/problem-codes.ts'
import { version } from '../../../server/package.json'
import { describedApp, document, routes, schemas } from '../../support/described.ts'
import { gapsIn } from '../../support/json-schema.ts'
import { charge, confirmation } from '../../support/spec/charges.ts'
import { b2bPayout, localPayout, transfer } from '../../support/spec/payouts.ts'

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
  })),
)

test('every mounted route is in the document', () => {
  const mounted = describedApp.routes
    .filter(
      ({ method, path }) => method !== 'ALL' && /^\/(checkout|pay|link|callbacks|api|health)\//.test(path),
    )
    .map(({ method, path }) => `${method} ${path}`)
  const described = routes.map(({ method, path }) => `${method} ${path}`)
  expect(described.toSorted()).toEqual([...new Set(mounted)].toSorted())
})

test('the document is valid OpenAPI 3.1', async () => {
  const isValid = async (text: string) => (await new Validator().validate(JSON.parse(text))).valid
  expect(await isValid(JSON.stringify(document))).toBe(true)
  expect(await isValid(JSON.stringify({ ...document, paths: { '/x': { get: { responses: [] } } } }))).toBe(
    false,
  )
})

test('the version is that of the package, and every operation has its own id', () => {
  expect(document.info.version).toBe(version)
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
  for (const { path, needsKey } of routes) {
    expect({ path, needsKey }).toEqual({ path, needsKey: path.startsWith('/api/') })
  }
})

test('every event is a webhook whose body names its type', () => {
  const described = Object.entries(document.webhooks).map(([name, { post }]) => {
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
  const named = Object.entries(document.components.schemas)
  const bodies = Object.entries(document.webhooks).flatMap(([name, { post }]) =>
    Object.values(post.requestBody?.content ?? {}).map(({ schema }) => [name, schema] as const),
  )
  const parameters = operations.flatMap(({ operationId, parameters: all }) =>
    all.map(
      ({ name, description, schema }) => [`${operationId} ${name}`, { ...schema, description }] as const,
    ),
  )
  const inline = operations.flatMap(({ operationId, requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {})
        .filter(({ schema }) => schema.$ref === undefined && schema.properties !== undefined)
        .map(({ schema }) => [operationId, { description: 'A body.', ...schema }] as const),
    ),
  )
  expect(
    [...named, ...bodies, ...parameters, ...inline].flatMap(([name, schema]) =>
      gapsIn(schema, name, document.components.schemas),
    ),
  ).toEqual([])
  expect(gapsIn({ properties: { amount: { type: 'string' } } }, 'Body', {})).toEqual([
    'Body has no description',
    'Body.amount has no description',
    'Body.amount has no example',
  ])
})

test.each<[string, object]>([
  ['PayoutRequest', { ...localPayout, recipient_bank_code: '' }],
  ['TransferRequest', { ...transfer, recipient_bank_code: '' }],
  ['B2bRequest', b2bPayout],
  ['ChargeRequest', { ...charge, transaction_charge: 0 }],
  ['AcknowledgeRequest', { status: confirmation.status, narration: confirmation.narration }],
])('fields of %s are those of the specification', (name, request) => {
  const fields = Object.keys(schemas[name]?.properties ?? {})
  expect(fields.toSorted()).toEqual(Object.keys(request).toSorted())
})

test('the page for people names every route, event and schema, and leads nowhere else', async () => {
  const page = await (await describedApp.request('/docs')).text()
  for (const { summary, path } of operations) {
    expect(page).toContain(summary.replaceAll("'", '&#39;'))
    expect(page).toContain(path)
  }

  for (const id of [...Object.keys(schemas), ...Object.keys(EVENTS)]) {
    expect(page).toContain(`id="${id}"`)
  }

  for (const [, id] of page.matchAll(/href="#([^"]+)"/g)) {
    expect(page).toContain(`id="${id}"`)
  }
})

test('the page for people shows each command with all queries that the route requires', async () => {
  const page = await (await describedApp.request('/docs')).text()
  expect(page).toContain('/api/fx/quote?from=KES&amp;to=UGX&amp;amount=1500.00&#39;')
})

test('the type of a problem document leads to what causes its code, and what to do', async () => {
  const page = await (await describedApp.request('/docs')).text()
  const { type, code } = await (await describedApp.request('/nowhere')).json()
  expect({ type, code }).toEqual({ type: 'http://127.0.0.1:4020/docs#not_found', code: 'not_found' })
  for (const [each, help] of Object.entries(PROBLEM_HELP)) {
    expect(page).toContain(`<article id="${each}">`)
    const [beginning = ''] = help.split(/[`']/)
    expect(page).toContain(beginning)
  }
})

test('the address of the server itself says what it is, and leads on', async () => {
  const answer = await describedApp.request('/')
  const page = await answer.text()
  expect(answer.status).toBe(200)
  expect(page).toContain('The payment server behind')
  expect(page).toContain('no real money moves')
  for (const [, address = ''] of page.matchAll(/href="([^"#]+)"/g)) {
    expect({ address, status: (await describedApp.request(new URL(address).pathname)).status }).not.toEqual({
      address,
      status: 404,
    })
  }

  expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
})

test('the page for people begins with its title, and uses the width that it has', async () => {
  const page = await (await describedApp.request('/docs')).text()
  expect(page.indexOf('<h1>')).toBeLessThan(page.indexOf('<nav'))
  expect(/body \{[^}]*\}/.exec(page)?.[0]).not.toMatch(/grid|column|float/)
})

test('the page for people loads nothing, and may not', async () => {
  const answer = await describedApp.request('/docs')
  const policy = answer.headers.get('content-security-policy') ?? ''
  const page = await answer.text()
  expect(policy).toContain("default-src 'none'")
  expect(page).not.toMatch(/<link|<img|\ssrc="|url\(|@import|\sstyle=|\son\w+=/)
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? []
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`)
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)
  expect(scripts).toHaveLength(1)
  expect(page.match(/<script/g)).toHaveLength(1)
  expect(policy).toContain(
    `script-src 'sha256-${createHash('sha256')
      .update(scripts[0] ?? '')
      .digest('base64')}'`,
  )
})

test('the page for people folds each operation and each schema, and shows what a problem needs', async () => {
  const page = await (await describedApp.request('/docs')).text()
  for (const id of [...operations.map(({ operationId }) => operationId), 'CheckoutView']) {
    expect(page).toMatch(new RegExp(`<article id="${id}">\\s*<details>\\s*<summary>`))
  }

  expect(page).toMatch(/<article id="not_found"><h3>/)
  expect(page).not.toContain('<details open')
})
