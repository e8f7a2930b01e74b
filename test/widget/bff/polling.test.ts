import { expect, test } from 'vitest'

import { watchStatus } from '../../../widget/bff/status-watcher.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { CheckoutView } from '../../../server/api/view.ts'
import type { Answer } from '../../../widget/bff/bff-client.ts'
import type { Environment } from '../../../widget/button/environment.ts'
import type { World } from '../../support/worlds/world.ts'

const QUARTER_HOUR = 15 * 60_000

// Without `EventSource`, the element polls.
function browserAt(shop: World, asked: string[]): Environment {
  const around = { document: { hidden: false }, navigator: { onLine: true } }
  return {
    fetch: (input, init) => {
      const { pathname } = new URL(new Request(input).url)
      asked.push(pathname)
      return shop.ask(pathname, init)
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
