import { expect, test } from 'vitest'
import type { FetchInit } from '../../server/http/exchange.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { createSeededRandom } from '../support/seeded-random.ts'
import { shopWithCheckout } from '../support/shop-with-order.ts'
import { ENVIRONMENT } from '../support/world.ts'

const SLOW_MS = 5_000

async function shopWithSlowReplica() {
  const { shop, begun, id } = await shopWithCheckout()
  const replica = createApp({
    config: readConfig(ENVIRONMENT),
    store: shop.store,
    orders: () => null,
    async fetch(url: string, init: FetchInit) {
      const answer = await shop.sandbox.app.request(url, init)
      if (url.includes('/status/')) await shop.timeline.sleep(SLOW_MS)
      return answer
    },
    clock: shop.timeline,
    randomness: createSeededRandom(2),
    log: { debug() {}, info() {}, warn() {}, error() {} },
  })
  return { shop, begun, id, askReplica: () => replica.request(`/checkout/status/${id}`) }
}

test.each([
  ['approve', 'paid'],
  ['partial', 'partial'],
])(
  'after the scenario %s, an older response at another replica does not replace the outcome %s',
  async (scenario, outcome) => {
    const { shop, begun, id, askReplica } = await shopWithSlowReplica()
    // The stored state is no longer fresh, and the next query of the first server is not due yet.
    await shop.later(15_000)
    const stored = async () => (await shop.rows()).find((row) => row.id === id)
    const asked = askReplica()
    await shop.settle()
    await shop.pay(begun, scenario)
    await shop.later(2_000)
    expect(shop.types()).toEqual([`checkout.${outcome}`])

    await shop.later(SLOW_MS)
    expect((await asked).status).toBe(200)
    expect(await stored()).toMatchObject({ outcome })
    await shop.later(60_000)
    expect(await stored()).toMatchObject({ outcome })
    expect(shop.types()).toEqual([`checkout.${outcome}`])
  },
)
