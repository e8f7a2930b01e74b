import { describe, expect, test } from 'vitest'

import { DAY } from '../../../server/transactions/schedule.ts'
import { createChargeWorld } from '../../support/worlds/charge-world.ts'
import { DOWN } from '../../support/worlds/network.ts'
import { shopWithCheckout } from '../../support/worlds/shop-with-order.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { World } from '../../support/worlds/world.ts'

const MINUTE = 60_000
const REFERENCE = '8d2f6a52-7f0d-4c5e-9b3a-2f1f6f1b7c11'
const BASIC_AUTH = 'gateway:pässwörd:with €'

test('a callback that comes again tells the merchant nothing twice', async () => {
  const { shop, begun } = await shopWithCheckout()
  await shop.pay(begun, 'approve')
  for (let times = 0; times < 3; times++) {
    await shop.ask(shop.callbackPath(begun), { method: 'POST', body: '{"status":801}' })
    await shop.later(MINUTE)
  }

  expect(shop.delivered.map(({ type }) => type)).toEqual(['checkout.paid'])
})

test.each([
  ['nothing', ''],
  ['broken JSON', '{"status":'],
  ['a forged payment', JSON.stringify({ status: 801, amount: '500', payments: [] })],
  ['another checkout', JSON.stringify({ merchant_transaction_id: 'another', status: 801 })],
])('a callback with %s for a body is a hint to look all the same, and changes nothing', async (_, body) => {
  const { shop, begun, id } = await shopWithCheckout()
  const before = shop.gatewayRequests().length
  const answer = await shop.ask(shop.callbackPath(begun), { method: 'POST', body })
  // This generation of the gateway reads the status, and an older generation the code in the body.
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status: 200,
    body: { received: true, acknowledgement_code: '900' },
  })
  await shop.later(2_000)
  expect(shop.gatewayRequests().slice(before)).toEqual([
    `GET /v2/checkout/status/${begun.merchant_transaction_id}`,
  ])
  expect(await shop.status(id)).toMatchObject({ outcome: 'waiting', amount_paid: '0' })
  expect(shop.types()).toEqual([])
})

test('a thousand callbacks cause one query at once, and then one a second', async () => {
  const { shop, begun } = await shopWithCheckout()
  await shop.later(5_000)
  const counts: number[] = []
  for (const [callbacks, ms] of [[100, 0], ...Array(50).fill([20, 100]), [0, 1_000], [0, 10_000]] as const) {
    const before = shop.gatewayRequests().length
    await Promise.all(
      Array.from({ length: callbacks }, () =>
        shop.ask(shop.callbackPath(begun), { method: 'POST', body: '{}' }),
      ),
    )
    await shop.later(ms)
    counts.push(shop.gatewayRequests().length - before)
  }

  const sum = (from: number, to: number) => counts.slice(from, to).reduce((total, count) => total + count, 0)
  expect([0, 1, 11, 21, 31, 41].map((from) => sum(from, from === 0 ? 1 : from + 10))).toEqual([
    1, 1, 1, 1, 1, 1,
  ])
  expect(counts.at(-1)).toBe(0)
})

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })

test.each<[string, status: number, Record<string, string>]>([
  ['them', 200, basic(BASIC_AUTH)],
  ['none', 401, {}],
  ['another password', 401, basic('gateway:password')],
  ['a password that goes on', 401, basic(`${BASIC_AUTH}!`)],
  ['the password as it is', 401, { authorization: 'gateway:password' }],
])(
  'where credentials are registered for callbacks, a callback with %s is answered with %i',
  async (_, status, headers) => {
    const { shop, begun } = await shopWithCheckout({ env: { CALLBACK_BASIC_AUTH: BASIC_AUTH } })
    const init = { method: 'POST', headers, body: '{}' }
    expect((await shop.ask(shop.callbackPath(begun), init)).status).toBe(status)
    if (status === 200)
    // Valid credentials do not make an unknown callback URL valid.
    {
      expect((await shop.ask(`/callbacks/checkout/${REFERENCE}.AAAA`, init)).status).toBe(404)
    }
  },
)

describe.each(['GET', 'HEAD', 'OPTIONS'])('a test of the address by %s', (method) => {
  test('a test of the address finds it, and reads and changes nothing', async () => {
    const { shop, begun } = await shopWithCheckout()
    const rows = await shop.rows()
    const before = shop.gatewayRequests().length
    const registered = `/callbacks/charges/${shop.portalToken('charges')}`
    for (const path of [shop.callbackPath(begun), `${shop.callbackPath(begun)}/`, registered]) {
      const answer = await shop.ask(path, { method })
      expect({ path, status: answer.status, text: await answer.text() }).toEqual({
        path,
        status: 200,
        text: '',
      })
    }

    await shop.later(2_000)
    expect(shop.gatewayRequests().slice(before)).toEqual([])
    expect(await shop.rows()).toEqual(rows)
  })

  test('a test of the address needs the registered credentials, and the right token', async () => {
    const { shop, begun } = await shopWithCheckout({ env: { CALLBACK_BASIC_AUTH: BASIC_AUTH } })
    const path = shop.callbackPath(begun)
    const refused = await shop.ask(path, { method, headers: basic('gateway:password') })
    expect({ status: refused.status, asks: refused.headers.get('www-authenticate') }).toEqual({
      status: 401,
      asks: 'Basic',
    })
    const headers = basic(BASIC_AUTH)
    expect((await shop.ask(path, { method, headers })).status).toBe(200)
    for (const other of [`/callbacks/checkout/${REFERENCE}.AAAA`, path.replace('/checkout/', '/payouts/')]) {
      expect((await shop.ask(other, { method, headers })).status).toBe(404)
    }
  })
})

describe('polls', () => {
  test('an unchanged view is a 304, and Retry-After says when to ask again', async () => {
    const { shop, id } = await shopWithCheckout()
    await shop.status(id)
    const { headers } = await shop.ask(`/checkout/status/${id}`)
    expect(headers.get('retry-after')).toBe('2')
    const etag = headers.get('etag') ?? ''
    for (const known of [etag, `W/${etag}`, `"0", ${etag}`]) {
      const conditional = { headers: { 'if-none-match': known } }
      expect((await shop.ask(`/checkout/status/${id}`, conditional)).status).toBe(304)
    }
  })

  test('a view that lost its page with the session is not a 304', async () => {
    const { shop, id } = await shopWithCheckout()
    shop.network.reliability.gateway = DOWN
    await shop.later(29 * MINUTE)
    const etag = (await shop.ask(`/checkout/status/${id}`)).headers.get('etag') ?? ''
    await shop.later(2 * MINUTE)
    const answer = await shop.ask(`/checkout/status/${id}`, { headers: { 'if-none-match': etag } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).not.toHaveProperty('redirect_url')
  })
})

test('a gateway that answers one query unusably, and all others, causes needs_attention, too', async () => {
  const { shop } = await shopWithCheckout()
  const fault = { fault: 'truncate', probability: 1, seed: 1 }
  await shop.control('/faults', { route: '/v2/checkout/status', ...fault })
  await shop.later(20 * MINUTE)
  const alarms = shop.logged.filter(({ level }) => level === 'error')
  expect(alarms).toEqual([])
  await shop.later(20 * MINUTE)
  expect(shop.logged.filter(({ level }) => level === 'error')).toMatchObject([
    { facts: { kind: 'checkout', failures: 10 }, message: expect.stringMatching(/a person should look/) },
  ])
})

test.each([
  ['fails', { fault: 'reset', next: 3 }],
  ['takes longer than a query may', { fault: 'latency', ms: 9_000, next: 3 }],
])('no checkout begins while the query %s: one that ended may hold money', async (_, fault) => {
  const { shop } = await shopWithCheckout()
  await shop.later(40 * MINUTE)
  await shop.control('/faults', { route: '/v2/checkout/status', ...fault })
  expect((await shop.initiate('A-1')).status).toBe(503)
  expect(shop.gatewayRequests().filter((request) => request.endsWith('/initiate'))).toHaveLength(1)
  await shop.later(10_000)
  expect(await shop.start('A-1')).toMatchObject({ attempt: 2 })
})

describe('a genuine callback about what is not stored is answered 404, and named in the log: there may be money', () => {
  async function send(shop: World, path: string, body: object) {
    const before = shop.logged.length
    const answer = await shop.ask(path, { method: 'POST', body: JSON.stringify(body) })
    const lines = shop.logged.slice(before).map(({ level, message }) => `${level}: ${message}`)
    return { status: answer.status, lines }
  }

  const named = (...names: string[]) => ({
    status: 404,
    lines: [
      expect.stringMatching(new RegExp(`^warn: .*not stored \\(${names.join(', ')}\\).*there may be money`)),
    ],
  })

  test('a genuine callback about a deleted record is 404 and named in the log, whatever was received about it before', async () => {
    const shop = await createWorld({ env: { RETENTION_DAYS: '31' } })
    shop.order('A-1')
    const begun = await shop.start('A-1')
    await shop.pay(begun, 'approve')
    const refund = { merchant_transaction_id: begun.merchant_transaction_id, status: 841 }
    expect(await send(shop, shop.callbackPath(begun), refund)).toMatchObject({ status: 200 })
    await shop.later(35 * DAY)
    expect(await shop.rows()).toEqual([])
    const received = await send(shop, shop.callbackPath(begun), refund)
    expect(received).toEqual(named(`reference "${begun.merchant_transaction_id}"`))
  })

  test.each([
    [
      'charges',
      { external_reference: 'LOST-1', charge_request_id: 22406 },
      ['reference "LOST-1"', 'charge_request_id 22406'],
    ],
    ['charges', { merchant_transaction_id: 'LOST-1' }, ['reference "LOST-1"']],
    ['payouts', { payout_reference: 'LOST-1' }, ['reference "LOST-1"']],
    ['airtime', { external_reference: 100200 }, ['reference "100200"']],
  ] as const)(
    'a genuine callback about what is not stored is 404 and named in the log, at the address in the portal: %s %j',
    async (chapter, body, names) => {
      const shop = await createWorld()
      const path = `/callbacks/${chapter}/${shop.portalToken(chapter)}`
      expect(await send(shop, path, body)).toEqual(named(...names))
    },
  )

  test('each entry of a list that is not stored is named in the log', async () => {
    const shop = await createWorld()
    const path = `/callbacks/charges/${shop.portalToken('charges')}`
    const body = [{ external_reference: 'LOST-1' }, { external_reference: 'LOST-2', charge_request_id: 7 }]
    expect(await send(shop, path, body)).toEqual(
      named('reference "LOST-1"', 'reference "LOST-2"', 'charge_request_id 7'),
    )
  })

  test.each([
    [{}, 'no fields'],
    [{ external_reference: '' }, 'external_reference'],
    [{ external_reference: null, payment: {} }, 'external_reference, payment'],
    [[[], 'text', { data: { status: 801 } }], 'status'],
  ])(
    'at the address in the portal, a callback that names nothing is answered 200, and its fields are named in the log: %j',
    async (body, fields) => {
      const shop = await createWorld()
      const path = `/callbacks/charges/${shop.portalToken('charges')}`
      const received = await send(shop, path, body)
      expect(received.status).toBe(200)
      expect(received.lines.at(-1)).toBe(
        `warn: A callback to the registered address of charges names no reference (${fields}), and is ignored.`,
      )
    },
  )
})

const ENTRY = { external_reference: 'T-1', phone_number: '254700000001', service_status: 605 }

test.each([
  ['alone', ENTRY],
  ['in a list', [{ note: 'first' }, ENTRY, { ...ENTRY, phone_number: '254700000002' }]],
  ['under data', { data: ENTRY }],
  ['in a list under data', { data: [ENTRY] }],
])('an entry at the address in the portal is a reason to ask: %s', async (_, body) => {
  const shop = await createChargeWorld()
  await shop.api('/airtime', {
    reference: 'T-1',
    recipients: [{ phone_number: '254700000001', amount: '10' }],
  })
  await shop.later(10 * DAY)
  const before = shop.gatewayRequests().length
  const path = `/callbacks/airtime/${shop.portalToken('airtime')}`
  const answer = await shop.ask(path, { method: 'POST', body: JSON.stringify(body) })
  await shop.settle()
  expect(answer.status).toBe(200)
  const asked = shop.gatewayRequests().slice(before)
  expect(asked.filter((request) => request.startsWith('GET'))).toHaveLength(1)
})

test('a reference that a callback names as a number is that of a charge', async () => {
  const shop = await createChargeWorld()
  await shop.charge({ external_reference: '100200' })
  await shop.later(10_000)
  const before = shop.gatewayRequests().length
  const body = JSON.stringify({ external_reference: 100200, payment_status: 700 })
  const answer = await shop.ask(`/callbacks/charges/${shop.portalToken('charges')}`, { method: 'POST', body })
  await shop.settle()
  expect({ status: answer.status, gatewayRequests: shop.gatewayRequests().slice(before) }).toEqual({
    status: 200,
    gatewayRequests: ['GET /v1/charges/100200/status'],
  })
})
