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
    const store = withNotices(deps.store, tellers, deps)
    return {
      store,
      async work(loop, signal) {
        await Promise.all(
          tellers.map((teller) => runWork(noticeWork({ ...deps, store }, teller), loop, signal)),
        )
      },
    }
  },
}
