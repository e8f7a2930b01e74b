import type { Store } from '../../../server/store/store.ts'
import type { Transaction } from '../../../server/store/transactions.ts'

/**
 * Returns the store of one simulated server process. The functions of this store call `store`. The ids of inserted rows
 * are added to `inserted`. `committed` is called with each changed row, and `marked` with the reference of each row
 * that is stored as sent, which happens before the request.
 *
 * @param alive Wraps a function of the store, so that its calls never return after the process has crashed.
 */
export function ownStore(
  store: Store,
  alive: <A extends unknown[], R>(work: (...args: A) => Promise<R>) => (...args: A) => Promise<R>,
  inserted: string[],
  {
    committed = () => {},
    marked = () => {},
  }: { committed?: (row: Transaction) => void; marked?: (reference: string) => void } = {},
): Store {
  const own: Partial<Store> = {
    insert: alive(async (...rows) => {
      const isNew = await store.insert(...rows)
      if (!isNew) {
        return isNew
      }

      inserted.push(...rows.map(({ id }) => id))
      for (const { sent_at, reference } of rows) {
        if (sent_at !== null) {
          marked(reference)
        }
      }

      return isNew
    }),
    commit: alive(async (...args) => {
      const saved = await store.commit(...args)
      if (saved) {
        committed(saved)
      }
      if (saved && (args[2].sent_at ?? null) !== null) {
        marked(saved.reference)
      }
      return saved
    }),
    watch: (...args) => store.watch(...args),
    close: async () => {},
  }
  return new Proxy(store, {
    get(_, name: keyof Store) {
      const method: unknown = store[name]
      if (own[name] || typeof method !== 'function') {
        return own[name]
      }
      return alive(async (...args: unknown[]) => method.apply(store, args))
    },
  })
}
