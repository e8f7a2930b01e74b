import { expect, test } from 'vitest'
import { CALM, DOWN } from '../support/network.ts'
import { createWorld, PAYER } from '../support/world.ts'

const MINUTE = 60_000
const WEATHERS = [CALM, DOWN, { ...CALM, answerLost: 0.5 }, { ...CALM, late: 1, repeated: 0.5 }]

test('whatever goes wrong, nothing that is logged, answered or told is a secret or names who pays', async () => {
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
    const events = await shop.store.claimEvents(account, Number.MAX_SAFE_INTEGER, 0, 100)
    expect(events.map(({ type }) => type)).toContain('checkout.paid')
    return events.map(({ body }) => body).join('\n')
  }
})

/** Everything that a logger could write of some facts: values, errors, and their causes. */
function textsOf(facts: unknown): string[] {
  if (facts instanceof Error) return [facts.message, facts.stack ?? '', ...textsOf(facts.cause)]
  if (typeof facts === 'object' && facts !== null) return Object.values(facts).flatMap(textsOf)
  return [String(facts)]
}
