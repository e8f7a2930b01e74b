import { expect, test } from 'vitest'
import { clientOf, countByStatus } from '../support/client.ts'
import { createLimitedShop } from '../support/limited-shop.ts'

const ADDRESS = '203.0.113.7'
const LOOKUP_MS = 1_000
const STEP_MS = 50

/** Creates a BFF whose orders are looked up at once if their reference begins with "A-", and slowly otherwise. */
function createSlowShop() {
  const lookups: string[] = []
  const shop = createLimitedShop(
    { ORDERS_URL: undefined, ORDERS_TOKEN: undefined },
    {
      orders: async (order) => {
        lookups.push(order)
        if (!order.startsWith('A-')) await shop.clock.sleep(LOOKUP_MS)
        return order.startsWith('guess-')
          ? null
          : { order, amount: '500', currency: 'KES', narration: 'Two kangas' }
      },
    },
  )
  const { initiate } = clientOf(shop.app, ADDRESS)
  async function startMany(name: string, count: number): Promise<{ answers: Promise<Response[]> }> {
    const answers = Promise.all(Array.from({ length: count }, (_, order) => initiate(`${name}-${order}`)))
    await turns(count)
    return { answers }
  }

  /** Advances the clock until the promise resolves. Resolves with its value, and with the time that has passed. */
  async function during<Value>(promise: Promise<Value>): Promise<{ value: Value; ms: number }> {
    let isOver = false
    const over = promise.finally(() => (isOver = true))
    for (let ms = 0; ; ms += STEP_MS) {
      await turns(20)
      if (isOver) return { value: await over, ms }
      await shop.clock.advance(STEP_MS)
    }
  }

  return { lookups, initiate, startMany, during }
}

test('slow lookups of 900 orders delay another start from the same address by half a second at most', async () => {
  const { lookups, initiate, startMany, during } = createSlowShop()
  const { answers } = await startMany('slow', 900)
  for (let order = 0; order < 20; order++) {
    const { value, ms } = await during(initiate(`A-${order}`))
    expect([value.status, ms <= 500]).toEqual([201, true])
  }
  expect(lookups.length).toBeLessThan(900)
  const { value, ms } = await during(answers)
  expect(countByStatus(value)).toEqual({ 201: 900 })
  expect(ms).toBeLessThan(20_000)
})

test('slow lookups do not permit many more guesses', async () => {
  const { lookups, startMany, during } = createSlowShop()
  const { answers } = await startMany('guess', 500)
  const { value } = await during(answers)
  expect(countByStatus(value)).toEqual({ 404: lookups.length, 429: 500 - lookups.length })
  expect(lookups.length).toBeLessThanOrEqual(90)
})

/** Waits for turns of the event loop, in which requests are read. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve))
}
