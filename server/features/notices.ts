/** The feature `notices`: the server informs people of payments, by e-mail or through a service for SMS or chat messages. */

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
