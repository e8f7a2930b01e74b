import { expect, test } from 'vitest'
import { shopWithCheckout } from '../support/shop-with-order.ts'
import { openStore } from '../../server/store/open.ts'

const MINUTE = 60_000

test.each<[string, age: number, pauseMs: number]>([
  ['a new checkout', 0, 2_000],
  ['an old checkout', 10 * MINUTE, 20_000],
])(
  'the return page of %s causes one query per pause of the pages, and one commit per query',
  async (_, age, pauseMs) => {
    const store = openStore('sqlite::memory:')
    let commits = 0
    const commit = store.commit.bind(store)
    const { shop, id } = await shopWithCheckout({
      store: Object.assign(store, {
        commit: (...args: Parameters<typeof commit>) => ((commits += 1), commit(...args)),
      }),
    })
    await shop.later(age)
    const queriesBefore = shop.gatewayRequests().length
    commits = 0
    const load = () => shop.ask(`/checkout/return/${id}`, { headers: { accept: 'text/html' } })
    const startedAt = shop.timeline.now()
    while (shop.timeline.now() < startedAt + pauseMs - 100) {
      await Promise.all(Array.from({ length: 10 }, load))
      await shop.later(pauseMs / 100)
    }
    const queries = shop.gatewayRequests().length - queriesBefore
    expect([queries, commits]).toEqual([1, 1])
  },
)

test('a shopper who returns a moment after a query sees what was paid since', async () => {
  const { shop, begun, id } = await shopWithCheckout()
  await shop.status(id)
  await shop.pay(begun, 'approve')
  await shop.ask(`/checkout/return/${id}`, { headers: { accept: 'text/html' } })
  expect(shop.types()).toEqual(['checkout.paid'])
})
