import { expect, test } from 'vitest'
import { RELIABLE, DOWN } from '../support/network.ts'
import { shopWithCheckout } from '../support/shop-with-order.ts'
import { HOME } from '../support/stored-rows.ts'
import { createWorld, PAYER } from '../support/world.ts'

const MINUTE = 60_000
const ACCOUNT = { ...HOME, base_url: 'http://127.0.0.1:4010' }
const RELIABILITIES = [
  RELIABLE,
  DOWN,
  { ...RELIABLE, answerLost: 0.5 },
  { ...RELIABLE, late: 1, repeated: 0.5 },
]

test('logs, responses and events never contain secrets or payer details, in any failure', async () => {
  const shop = await createWorld({ backend: () => new Response('no', { status: 500 }) })
  const read: string[] = []
  for (const [index, reliability] of RELIABILITIES.entries()) {
    shop.network.reliability.gateway = reliability
    shop.order(`A-${index}`)
    read.push(await (await shop.initiate(`A-${index}`)).text())
    read.push(await (await shop.initiate(`A-${index}`, { payer_msisdn: 'x'.repeat(30) })).text())
    await shop.later(5 * MINUTE)
  }
  shop.network.reliability.gateway = RELIABLE
  shop.order('B')
  const begun = await shop.start('B')
  await shop.pay(begun, 'approve')
  await shop.later(5 * MINUTE)
  const events = await shop.store.listEvents(ACCOUNT, 0, 100)
  expect(events.map(({ type }) => type)).toContain('checkout.paid')
  read.push(JSON.stringify(await shop.status(begun.checkout_id)), ...events.map(({ body }) => body))
  const logged = shop.logged.map(({ facts, message }) => [message, ...textsOf(facts)].join('\n'))

  expect(logged.length).toBeGreaterThan(10)
  const secrets = [...Object.values(PAYER), '254700000001', 'sandbox-secret', 'whsec_', 'x-access-token']
  for (const text of [...read, ...logged]) {
    for (const secret of secrets) expect(text).not.toContain(secret)
  }
})

test('each exchange with the gateway is logged for debugging, without a reference, a token or a body', async () => {
  const { shop } = await shopWithCheckout()
  shop.network.reliability.gateway = DOWN
  await shop.payOut('local')
  const exchanges = shop.logged.filter(({ level }) => level === 'debug').map(({ facts }) => facts)
  const ms = expect.any(Number)
  const trace_id = expect.stringMatching(/^[0-9a-f]{32}$/)
  expect(exchanges.slice(0, 2)).toEqual([
    { method: 'POST', path: '/v1/auth', status: 201, code: null, ms, trace_id: null },
    { method: 'POST', path: '/v2/checkout/initiate', status: 200, code: null, ms, trace_id },
  ])
  const lost = { status: null, code: 'gateway_timeout', ms: 8_000, trace_id }
  expect(exchanges).toContainEqual({ method: 'POST', path: '/v1/payouts/initiate', ...lost })
})

function textsOf(facts: unknown): string[] {
  if (facts instanceof Error) return [facts.message, facts.stack ?? '', ...textsOf(facts.cause)]
  if (typeof facts === 'object' && facts !== null) return Object.values(facts).flatMap(textsOf)
  return [String(facts)]
}
