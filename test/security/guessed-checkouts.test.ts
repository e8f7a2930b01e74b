import { describe, expect, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { clientOf, countByStatus, repeat } from '../support/client.ts'
import { createLimitedShop } from '../support/limited-shop.ts'

const ATTACKER = '203.0.113.7'
const SHOPPER = '198.51.100.4'

const ROUTES: [string, (client: Client, id: string) => Promise<Response>][] = [
  ['status', (client, id) => client.ask(`/checkout/status/${id}`)],
  ['stream', (client, id) => client.ask(`/checkout/status/${id}/stream`)],
  ['return page', (client, id) => client.ask(`/checkout/return/${id}`)],
  ['resume', resume],
]

describe.each(ROUTES)('an address that guesses 500 checkouts by %s', (_, guess) => {
  test('gets 30 answers a minute, then refusals with the time to wait, and the log has one warning', async () => {
    const { app, clock, logged } = createLimitedShop()
    const attacker = clientOf(app, ATTACKER)
    const answers = await repeat(500, (turn) => guess(attacker, `guess-${turn}`))
    expect(countByStatus(answers)).toEqual({ 404: 30, 429: 470 })
    const last = answers.at(-1)!
    expect(Object.fromEntries(last.headers)).toMatchObject({
      'retry-after': '60',
      ratelimit: '"checkouts";r=0;t=60',
      'ratelimit-policy': '"checkouts";q=30;w=60',
    })
    expect(await last.json()).toMatchObject({ code: 'too_many_requests' })
    const warnings = logged.filter(({ level }) => level === 'warn')
    expect(warnings.map(({ facts }) => facts)).toEqual([{ limit: 'checkouts', network: '203.0.113.0/24' }])
    await clock.advance(60_000)
    expect((await guess(attacker, 'guess-500')).status).toBe(404)
  })
})

test('a stranger cannot try orders for a checkout id that he knows', async () => {
  const { app } = createLimitedShop()
  const { checkout_id } = await (await clientOf(app, SHOPPER).initiate('A-1')).json()
  const attacker = clientOf(app, ATTACKER)
  const answers = await repeat(200, (turn) => resume(attacker, checkout_id, `A-guess-${turn}`))
  expect(countByStatus(answers)).toEqual({ 404: 30, 429: 170 })
})

describe('a shopper behind the address that guesses', () => {
  test.each(ROUTES)('still gets a checkout by %s', async (_, ask) => {
    const { app } = createLimitedShop()
    const address = clientOf(app, ATTACKER)
    const { checkout_id } = await (await address.initiate('A-1')).json()
    await repeat(500, (turn) => address.ask(`/checkout/status/guess-${turn}`))
    const answer = await ask(address, checkout_id)
    expect(answer.status).toBe(200)
    await answer.body?.cancel()
    expect((await address.initiate('A-2')).status).toBe(201)
  })
})

test('a shopper whose page polls a pruned checkout for an hour can still start and watch another', async () => {
  const { app, clock } = createLimitedShop()
  const shopper = clientOf(app, SHOPPER)
  for (let poll = 0; poll < 1_800; poll++) {
    await shopper.ask('/checkout/status/pruned')
    await clock.advance(2_000)
  }
  await repeat(100, () => shopper.ask('/checkout/status/pruned'))
  const { checkout_id } = await (await shopper.initiate('A-1')).json()
  expect((await shopper.ask(`/checkout/status/${checkout_id}`)).status).toBe(200)
})

function resume(client: Client, checkout_id: string, order = 'A-1'): Promise<Response> {
  return client.ask('/checkout/resume', {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ order, checkout_id }),
  })
}
