import { describe, expect, test } from 'vitest'
import { clientOf, countByStatus, repeat } from '../support/client.ts'
import { createLimitedShop } from '../support/limited-shop.ts'
import type { Client } from '../support/client.ts'

const ATTACKER = '203.0.113.7'
const SHOPPER = '198.51.100.4'

describe('an address that guesses 500 orders', () => {
  test.each<[string, (client: Client) => Promise<Response[]>]>([
    ['one after the other', guessInTurn],
    [
      'at once',
      (client) => Promise.all(Array.from({ length: 500 }, (_, order) => client.initiate(`${order}`))),
    ],
  ])('%s causes 30 lookups a minute', async (_, guess) => {
    const { app, clock, lookups, logged } = createLimitedShop()
    const attacker = clientOf(app, ATTACKER)
    expect(countByStatus(await guess(attacker))).toEqual({ 404: 30, 429: 470 })
    expect(lookups).toHaveLength(30)
    expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(1)
    await clock.advance(60_000)
    await guess(attacker)
    expect(lookups).toHaveLength(60)
  })

  test('with forged signatures is refused, too', async () => {
    const { app } = createLimitedShop({
      ORDERS_URL: undefined,
      ORDERS_TOKEN: undefined,
      ORDER_SIGNING_KEY: 'a signing key of 32 bytes or more',
    })
    expect(countByStatus(await guessInTurn(clientOf(app, ATTACKER)))).toEqual({ 422: 30, 429: 470 })
  })

  test('does not lock out a shopper at another address', async () => {
    const { app } = createLimitedShop()
    await guessInTurn(clientOf(app, ATTACKER))
    expect((await clientOf(app, SHOPPER).initiate('A-1')).status).toBe(201)
  })
})

test('500 shoppers behind one address pay at once, also while their neighbour guesses below the limit', async () => {
  const { app, lookups } = createLimitedShop()
  const address = clientOf(app, SHOPPER)
  for (let order = 0; order < 29; order++) await address.initiate(`${order}`)
  const answers = await Promise.all(
    Array.from({ length: 500 }, (_, order) =>
      address.initiate(`A-${order}`, { payer_msisdn: msisdn(order) }),
    ),
  )
  expect(countByStatus(answers)).toEqual({ 201: 500 })
  expect(lookups).toHaveLength(529)
})

function msisdn(index: number): string {
  return `07${10_000_000 + index}`
}

function guessInTurn(client: Client): Promise<Response[]> {
  return repeat(500, (order) => client.initiate(`${order}`))
}
