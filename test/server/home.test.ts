import { expect, test } from 'vitest'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { DOWN } from '../support/network.ts'
import { createWorld, ENVIRONMENT } from '../support/world.ts'

const HOUR = 3_600_000
const PRODUCTION = {
  GATEWAY_ENVIRONMENT: 'production',
  GATEWAY_BASE_URL: 'https://gateway.example',
  PUBLIC_URL: 'https://pay.shop.example',
}

test.each([
  ['with production settings', PRODUCTION],
  ['for another account', { GATEWAY_ACCOUNT_NUMBER: 'ACC-002' }],
  ['at another address', { GATEWAY_BASE_URL: 'http://127.0.0.1:4011' }],
])('a sandbox database opened %s sends nothing, asks nothing, and says so', async (_, env) => {
  const shop = await createWorld()
  shop.order('A-1')
  await shop.start('A-1')
  shop.network.weather.gateway = DOWN
  await shop.payOut('local')
  await shop.payOut('b2b', { payout_reference: 'P-2' })

  const sent: string[] = []
  const said: { facts: object; message: string }[] = []
  const say = (facts: object, message: string) => void said.push({ facts, message })
  const app = createApp({
    config: readConfig({ ...ENVIRONMENT, ...env }),
    store: shop.store,
    orders: () => null,
    fetch: (url) => {
      sent.push(url)
      return new Response('{}')
    },
    clock: shop.timeline,
    randomness: createSeededRandom(2),
    log: { debug: say, info: say, warn: say, error: say },
    longestSleepMs: HOUR,
  })
  const stop = new AbortController()
  void app.work(stop.signal)
  await shop.later(HOUR)
  stop.abort()

  expect(sent).toEqual([])
  expect(said).toMatchObject([{ facts: { waiting: 3 }, message: expect.stringMatching(/left alone/) }])
})
