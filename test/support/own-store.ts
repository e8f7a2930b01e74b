import type { Store, Transaction } from '../../server/store.ts'

/**
 * Returns the store of one simulated server process. The functions of this store call `store`. The ids of inserted rows
 * are added to `inserted`.
 *
 * @param alive Wraps a function of the store, so that its calls never return after the process has crashed.
 */
export function ownStore(
  store: Store,
  alive: <A extends unknown[], R>(work: (...args: A) => Promise<R>) => (...args: A) => Promise<R>,
  inserted: string[],
  committed: (row: Transaction) => void = () => {},
): Store {
  return {
    insert: alive(async (...rows) => {
      const isNew = await store.insert(...rows)
      if (isNew) inserted.push(...rows.map(({ id }) => id))
      return isNew
    }),
    find: alive((...args) => store.find(...args)),
    findByReference: alive((...args) => store.findByReference(...args)),
    list: alive((...args) => store.list(...args)),
    search: alive((...args) => store.search(...args)),
    listEvents: alive((...args) => store.listEvents(...args)),
    findEvent: alive((...args) => store.findEvent(...args)),
    replayEvent: alive((...args) => store.replayEvent(...args)),
    commit: alive(async (...args) => {
      const saved = await store.commit(...args)
      if (saved) committed(saved)
      return saved
    }),
    countWaitingElsewhere: alive((...args) => store.countWaitingElsewhere(...args)),
    history: alive((...args) => store.history(...args)),
    claimTransactions: alive((...args) => store.claimTransactions(...args)),
    hastenQueries: alive((...args) => store.hastenQueries(...args)),
    claimEvents: alive((...args) => store.claimEvents(...args)),
    finishEvent: alive((...args) => store.finishEvent(...args)),
    hastenRetries: alive((...args) => store.hastenRetries(...args)),
    nextDue: alive((...args) => store.nextDue(...args)),
    listEnded: alive((...args) => store.listEnded(...args)),
    prune: alive((...args) => store.prune(...args)),
    listTombstones: alive((...args) => store.listTombstones(...args)),
    listUnmasked: alive((...args) => store.listUnmasked(...args)),
    listEventsOf: alive((...args) => store.listEventsOf(...args)),
    mask: alive((...args) => store.mask(...args)),
    findMentioning: alive((...args) => store.findMentioning(...args)),
    truncateLog: alive(() => store.truncateLog()),
    markOrder: alive((...args) => store.markOrder(...args)),
    recoveredAt: alive(() => store.recoveredAt()),
    count: alive((...args) => store.count(...args)),
    ping: alive(() => store.ping()),
    watch: (...args) => store.watch(...args),
    close: async () => {},
  }
}
