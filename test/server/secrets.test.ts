import { expect, test } from 'vitest'
import { CALM, DOWN } from '../support/network.ts'
import { createWorld, PAYER } from '../support/world.ts'

const MINUTE = 60_000
const WEATHERS = [CALM, DOWN, { ...CALM, answerLost: 0.5 }, { ...CALM, late: 1, repeated: 0.5 }]

test('logs, responses and events never contain secrets or payer details, in any failure', async () => {
  const shop = await createWorld({ backend: () => new Response('no', { status: 500 }) })
  const read: string[] = []
  for (const [index, weather] of WEATHERS.entries()) {
    shop.network.weather.gateway = weather
    shop.order(`A-${index}`)
    read.push(await (await shop.initiate(`A-${index}`)).text())
    read.push(await (await shop.initiate(`A-${index}`, { payer_msisdn: 'x'.repeat(30) })).text())
    await shop.later(5 * MINUTE)
  }
  shop.network.weather.gateway = CALM
  shop.order('B')
  const begun = await shop.start('B')
  await shop.pay(begun, 'approve')
  await shop.later(5 * MINUTE)
  read.push(JSON.stringify(await shop.status(begun.checkout_id)), await backendHeard())
  const logged = shop.logged.map(({ facts, message }) => [message, ...textsOf(facts)].join('\n'))

  expect(logged.length).toBeGreaterThan(10)
  const secrets = [...Object.values(PAYER), '254700000001', 'sandbox-secret', 'whsec_', 'x-access-token']
  for (const text of [...read, ...logged]) {
    for (const secret of secrets) expect(text).not.toContain(secret)
  }

  async function backendHeard(): Promise<string> {
    const account = {
      environment: 'sandbox',
      base_url: 'http://127.0.0.1:4010',
      account_number: 'ACC-001',
    } as const
    const events = await shop.store.listEvents(account, 0, 100)
    expect(events.map(({ type }) => type)).toContain('checkout.paid')
    return events.map(({ body }) => body).join('\n')
  }
})

test('each exchange with the gateway is logged for debugging, without a reference, a token or a body', async () => {
  const shop = await createWorld()
  shop.order('A-1')
  await shop.start('A-1')
  shop.network.weather.gateway = DOWN
  await shop.payOut('local')

  const exchanges = shop.logged.filter(({ level }) => level === 'debug').map(({ facts }) => facts)
  const ms = expect.any(Number)
  expect(exchanges.slice(0, 2)).toEqual([
    { method: 'POST', path: '/v1/auth', status: 200, code: null, ms },
    { method: 'POST', path: '/v2/checkout/initiate', status: 200, code: null, ms },
  ])
  const lost = {
    method: 'POST',
    path: '/v1/payouts/initiate',
    status: null,
    code: 'gateway_timeout',
    ms: 8_000,
  }
  expect(exchanges).toContainEqual(lost)
})

/** Every text that a logger could write for some facts: values, error messages, stacks and causes. */
function textsOf(facts: unknown): string[] {
  if (facts instanceof Error) return [facts.message, facts.stack ?? '', ...textsOf(facts.cause)]
  if (typeof facts === 'object' && facts !== null) return Object.values(facts).flatMap(textsOf)
  return [String(facts)]
}
