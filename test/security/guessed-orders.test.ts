import { describe, expect, test } from 'vitest'
import { signOrder } from '../../server/index.ts'
import { clientOf, countByStatus, repeat } from '../support/client.ts'
import { createLimitedShop } from '../support/limited-shop.ts'
import { BFF, START } from '../support/world.ts'

const ATTACKER = '203.0.113.7'
const KEY = 'a signing key of 32 bytes or more'
const SIGNED = { ORDERS_URL: undefined, ORDERS_TOKEN: undefined, ORDER_SIGNING_KEY: KEY }

const signed = (order: string) =>
  signOrder(
    { order, amount: '500', currency: 'KES', narration: 'Two kangas' },
    { key: KEY, audience: BFF, issuedAt: START / 1_000, lifetime: 3_600 },
  )

describe('an address that guesses 500 orders', () => {
  test.each([
    ['unknown', {}, 404],
    ['forged', SIGNED, 422],
  ])('that are %s is refused after 30, one by one or at once', async (_, env, status) => {
    const { app, clock, logged } = createLimitedShop(env)
    const attacker = clientOf(app, ATTACKER)
    const guess = (order: number) => attacker.initiate(`${order}`)
    expect(countByStatus(await repeat(500, guess))).toEqual({ [status]: 30, 429: 470 })
    expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(1)
    await clock.advance(60_000)
    const atOnce = await Promise.all(Array.from({ length: 500 }, (__, order) => guess(order)))
    expect(countByStatus(atOnce)).toEqual({ [status]: 30, 429: 470 })
  })

  test.each([
    ['by their references', {}, async (order: string) => order],
    ['signed', SIGNED, signed],
  ])('keeps nobody behind it from orders %s: new ones start, and live ones go on', async (_, env, text) => {
    const { app } = createLimitedShop(env)
    const address = clientOf(app, ATTACKER)
    const live = await (await address.initiate(await text('A-1'))).json()
    await repeat(100, (order) => address.initiate(`${order}`))
    expect((await address.initiate('one more')).status).toBe(429)
    expect((await address.initiate(await text('A-2'))).status).toBe(201)
    expect(await (await address.initiate(await text('A-1'))).json()).toMatchObject({
      checkout_id: live.checkout_id,
    })
    expect((await address.ask(`/checkout/status/${live.checkout_id}`)).status).toBe(200)
  })
})

test('500 shoppers behind one address pay at once, also while their neighbour guesses', async () => {
  const { app, lookups } = createLimitedShop()
  const address = clientOf(app, ATTACKER)
  const guesses = Promise.all(Array.from({ length: 300 }, (_, order) => address.initiate(`${order}`)))
  const answers = Promise.all(Array.from({ length: 500 }, (_, order) => address.initiate(`A-${order}`)))
  expect(countByStatus(await answers)).toEqual({ 201: 500 })
  expect(countByStatus(await guesses)).toEqual({ 404: 30, 429: 270 })
  expect(lookups).toHaveLength(800)
})
