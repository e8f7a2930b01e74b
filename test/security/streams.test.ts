import { expect, test } from 'vitest'
import { clientOf, countByStatus } from '../support/client.ts'
import { createLimitedShop } from '../support/limited-shop.ts'
import type { Client } from '../support/client.ts'

const ATTACKER = '203.0.113.7'
const SHOPPER = '198.51.100.4'

test(
  'an address that opens 100 streams of each of 12 orders gets 1,000, and other addresses still get theirs',
  { timeout: 60_000 },
  async () => {
    const { app } = createLimitedShop()
    const attacker = clientOf(app, ATTACKER)
    const answers: Response[] = []
    let path = ''
    for (let order = 0; order < 12; order++) {
      path = await streamOf(attacker, `A-${order}`)
      answers.push(...(await Promise.all(Array.from({ length: 100 }, () => attacker.ask(path)))))
    }
    expect(countByStatus(answers)).toEqual({ 200: 1_000, 503: 200 })
    const shopper = clientOf(app, SHOPPER)
    expect((await shopper.ask(await streamOf(shopper, 'A-shopper'))).status).toBe(200)

    await answers[0]?.body?.cancel()
    expect((await attacker.ask(path)).status).toBe(200)
  },
)

test('100 streams that nobody reads are closed within three minutes', async () => {
  const { app, clock } = createLimitedShop()
  const client = clientOf(app, ATTACKER)
  const path = await streamOf(client, 'A-1')
  const unread = await Promise.all(Array.from({ length: 100 }, () => client.ask(path)))
  const read = clientOf(app, SHOPPER)
  expect([countByStatus(unread), (await read.ask(path)).status]).toEqual([{ 200: 100 }, 503])
  await clock.advance(180_000)
  expect((await read.ask(path)).status).toBe(200)
})

async function streamOf(client: Client, order: string): Promise<string> {
  const answer = await client.initiate(order)
  const { checkout_id } = await answer.json()
  return `/checkout/status/${checkout_id}/stream`
}
