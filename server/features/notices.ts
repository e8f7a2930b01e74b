/** The feature `notices`: people are told of payments in words, by e-mail or by a service that sends SMS or chats. */

import { noticeWork, withNotices } from '../notices/notices.ts'
import { tellersOf } from '../notices/tellers.ts'
import { NOTICE_WAYS } from '../store/store.ts'
import { runWork } from '../work/work-loop.ts'

import type { Feature } from '../routes/feature.ts'

export const notices: Feature = {
  name: 'notices',
  events: [],
  callbacks: [],
  routes() {},
  extend(deps) {
    const tellers = tellersOf(deps.config, deps)
    const ways = NOTICE_WAYS.filter((way) => tellers[way])
    const store = withNotices(deps.store, ways, deps.randomness)
    return {
      store,
      async work(loop, signal) {
        await Promise.all(
          ways.map((way) => {
            const tell = tellers[way]
            return tell && runWork(noticeWork({ ...deps, store }, way, tell), loop, signal)
          }),
        )
      },
    }
  },
}
