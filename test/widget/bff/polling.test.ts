import { expect, test } from 'vitest'

import { watchStatus } from '../../../widget/bff/status-watcher.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { Answer } from '../../../widget/bff/bff-client.ts'
import type { Environment } from '../../../widget/button/environment.ts'
import type { World } from '../../support/worlds/world.ts'

const QUARTER_HOUR = 15 * 60_000

// Without `EventSource`, the element polls.
function browserAt(shop: World, asked: string[], cache?: Map<string, Response>): Environment {
  const around = { document: { hidden: false }, navigator: { onLine: true } }
  return {
    fetch: async (input, init) => {
      const { pathname, search } = new URL(new Request(input).url)
      const address = pathname + search
      asked.push(address)
      const response = cache?.get(address) ?? (await shop.ask(address, init))
      cache?.set(address, response)
      return response.clone()
    },
    clock: { now: () => shop.timeline.now(), after: (ms, run) => shop.timeline.after(ms, run) },
    random: () => 0.5,
    window: Object.assign(Object.create(null), around),
  }
}

test('a page without a stream asks at most 90 times in a quarter of an hour, the first time after two seconds', async () => {
  const shop = await createWorld()
  shop.order('A-1')
  const begun = await shop.initiate('A-1')
  const view: CheckoutView = await begun.json()
  const retryAfterMs = Number(begun.headers.get('retry-after')) * 1000
  expect(retryAfterMs).toBe(2_000)

  const asked: string[] = []
  const answers: Answer[] = []
  const over = new AbortController()
  const receive = (answer: Answer) => void answers.push(answer)
  const url = `https://pay.shop.test/checkout/status/${view.checkout_id}`
  watchStatus(url, receive, browserAt(shop, asked), { view, retryAfterMs }, over.signal)
  await shop.later(retryAfterMs)
  expect(asked).toHaveLength(1)
  await shop.later(QUARTER_HOUR - retryAfterMs)
  // The initiate request counts towards the limit.
  expect(asked.length + 1).toBeLessThanOrEqual(90)
  expect(asked.length).toBeGreaterThan(80)
  expect(answers.filter((answer) => 'failure' in answer)).toEqual([])
  over.abort()
})

test('a payment is heard through a service worker of the page that answers from its cache first', async () => {
  const shop = await createWorld()
  shop.order('A-1')
  const begun = await shop.initiate('A-1')
  const view: CheckoutView = await begun.json()
  const answers: Answer[] = []
  const over = new AbortController()
  const receive = (answer: Answer) => void answers.push(answer)
  const url = `https://pay.shop.test/checkout/status/${view.checkout_id}`
  watchStatus(url, receive, browserAt(shop, [], new Map()), null, over.signal)
  await shop.later(10_000)
  await shop.pay(view, 'approve')
  await shop.later(60_000)
  over.abort()
  expect(answers[0]).toMatchObject({ view: { outcome: 'waiting' } })
  expect(answers.at(-1)).toMatchObject({ view: { outcome: 'paid' } })
})
