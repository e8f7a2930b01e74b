import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createDocument, OPERATIONS } from '../../server/routes/openapi/document.ts'
import { PROBLEMS } from '../../server/api/problem-codes.ts'
import { openStore } from '../../server/store/open.ts'
import { createBackOffice } from '../support/back-office.ts'
import type { Schema } from '../support/json-schema.ts'
import { conform } from '../support/json-schema.ts'
import { charge, confirmation } from '../support/spec-charges.ts'
import { airtime } from '../support/spec-airtime.ts'
import { b2bPayout, localPayout, transfer } from '../support/spec-payouts.ts'
import { ENVIRONMENT } from '../support/world.ts'

const DESCRIBED = /^\/(checkout|callbacks|api|health)(\/|$)/
const Document = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        security: z.array(z.unknown()),
        parameters: z.array(z.object({ name: z.string(), in: z.string() })),
      }),
    ),
  ),
  components: z.object({ schemas: z.record(z.string(), z.custom<Schema>()) }),
})
const document = createDocument('https://pay.shop.example')
const { paths, components } = Document.parse(document)
const shapes = components.schemas

const store = openStore('sqlite::memory:')
afterAll(() => store.close())
const app = createApp({ config: readConfig(ENVIRONMENT), store, orders: () => null })

test('every routed address is described, and nothing else is', () => {
  const routed = app.routes
    .filter(({ method, path }) => method !== 'ALL' && DESCRIBED.test(path))
    .map(({ method, path }) => `${method} ${path}`)
  const described = OPERATIONS.map(({ method, path }) => `${method} ${path}`)
  expect(described.toSorted()).toEqual([...new Set(routed)].toSorted())
})

test('the README names every address and every code of a problem', () => {
  const readme = readFileSync('server/README.md', 'utf8')
  for (const path of Object.keys(paths)) expect(readme).toContain(path)
  for (const code of Object.keys(PROBLEMS)) expect(readme).toContain(`\`${code}\``)
})

test('each address has an id of its own', () => {
  const ids = OPERATIONS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every reference in the document leads to a shape', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)
  for (const [, name] of references) expect(shapes).toHaveProperty(name!)
})

test('every part of a path is a parameter', () => {
  for (const [path, methods] of Object.entries(paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    for (const { parameters } of Object.values(methods)) {
      const given = parameters.filter((each) => each.in === 'path').map((each) => each.name)
      expect(given).toEqual(names)
    }
  }
})

test('what needs the key says so, and only that', () => {
  for (const [path, methods] of Object.entries(paths)) {
    for (const { security } of Object.values(methods)) {
      expect(security).toEqual(path.startsWith('/api/') ? [{ key: [] }] : [])
    }
  }
})

test('callback_url is nowhere asked of the merchant', () => {
  for (const { properties } of Object.values(shapes)) {
    expect(Object.keys(properties ?? {})).not.toContain('callback_url')
  }
})

test('fields of each payout are those of the specification', () => {
  const { PayoutRequest, TransferRequest, B2bRequest } = shapes
  const fields = (schema?: Schema) => Object.keys(schema?.properties ?? {}).toSorted()
  const withBank = (request: object) => [...Object.keys(request), 'recipient_bank_code'].toSorted()
  expect(fields(PayoutRequest)).toEqual(withBank(localPayout))
  expect(fields(TransferRequest)).toEqual(withBank(transfer))
  expect(fields(B2bRequest)).toEqual(Object.keys(b2bPayout).toSorted())
})

test('fields of a charge and of its confirmation are those of the specification', () => {
  const { ChargeRequest, AcknowledgeBody } = shapes
  const named = Object.keys({ ...charge, transaction_charge: 0 }).toSorted()
  expect(Object.keys(ChargeRequest?.properties ?? {}).toSorted()).toEqual(named)
  const { payment_id: _, ...said } = confirmation
  expect(Object.keys(AcknowledgeBody?.properties ?? {}).toSorted()).toEqual(Object.keys(said).toSorted())
})

test('the served document is the same, and holds no secret', async () => {
  const answer = await app.request('/openapi.json')
  const text = await answer.text()
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(JSON.parse(text).paths).toEqual(JSON.parse(JSON.stringify(document.paths)))
  for (const secret of ['sandbox-key', 'sandbox-secret', 'whsec_', 'ACC-001']) {
    expect(text).not.toContain(secret)
  }
})

describe('the page for people', () => {
  let page: string
  let policy: string
  beforeAll(async () => {
    const answer = await app.request('/docs')
    expect(answer.status).toBe(200)
    policy = answer.headers.get('content-security-policy') ?? ''
    page = await answer.text()
  })

  test('names every address and every shape', () => {
    for (const { summary, path } of OPERATIONS) {
      expect(page).toContain(summary.replaceAll("'", '&#39;'))
      expect(page).toContain(path.replaceAll(/:(\w+)/g, '{$1}'))
    }
    for (const name of Object.keys(shapes)) expect(page).toContain(`id="${name}"`)
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
    const shop = await createBackOffice()
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
      Views: [await shop.get('/checkouts')],
      TrackedPayout: [
        await shop.post('/payouts', localPayout),
        await shop.get('/payouts/FAMILY-1'),
        await shop.get('/payouts/SUPPLIER-1'),
      ],
      TrackedPayouts: [await shop.get('/payouts')],
      TrackedCharge: [await shop.post('/charges', charge), await shop.get('/charges/ORDER-7731')],
      TrackedCharges: [await shop.get('/charges')],
      TrackedFulfilment: [
        await shop.post('/charges/ORDER-7731/acknowledge', { status: 'SUCCESSFUL', narration: 'Delivered' }),
      ],
      TrackedAirtime: [await shop.post('/airtime', airtime), await shop.get('/airtime/AIRTIME-1')],
      AirtimeList: [await shop.get('/airtime')],
      ListedEvents: [await shop.get('/events')],
      Replayed: [await shop.post(`/events/${event.id}/replay`)],
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
        expect(conform(body, shapes[name]!, shapes), name).toEqual([])
        expect(status, name).toBeLessThan(name === 'Problem' ? 500 : 300)
      }
    }
  })

  test.each(
    OPERATIONS.filter(({ body, path }) => body && path.startsWith('/api/') && !path.includes(':')).map(
      (each) => [each.id, each] as const,
    ),
  )('the example of %s is accepted', async (_, { path, body }) => {
    const shop = await createBackOffice()
    const { status, body: tracked } = await shop.post(path.replace('/api', ''), body?.example)
    expect(tracked).toMatchObject({ outcome: 'pending' })
    expect(status).toBe(201)
  })
})
