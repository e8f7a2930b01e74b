/** The feature `notices`: people are told of payments in words, by e-mail or by a service that sends SMS or chats. */

import { noticeWork, withNotices } from '../notices/notices.ts'
import { tellersOf } from '../notices/tellers.ts'
import { runWork } from '../work/work-loop.ts'

import type { Feature } from '../routes/feature.ts'

export const notices: Feature = {
  name: 'notices',
  events: [],
  callbacks: [],
  routes() {},
  extend(deps) {
    const tellers = tellersOf(deps.config, deps)
    const ways = tellers.map(({ way }) => way)
    const store = withNotices(deps.store, ways, deps.randomness)
    return {
      store,
      async work(loop, signal) {
        await Promise.all(
          tellers.map(({ way, tell }) => runWork(noticeWork({ ...deps, store }, way, tell), loop, signal)),
        )
      },
    }
  },
}
