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
  const own: Partial<Store> = {
    insert: alive(async (...rows) => {
      const isNew = await store.insert(...rows)
      if (isNew) inserted.push(...rows.map(({ id }) => id))
      return isNew
    }),
    commit: alive(async (...args) => {
      const saved = await store.commit(...args)
      if (saved) committed(saved)
      return saved
    }),
    watch: (...args) => store.watch(...args),
    close: async () => {},
  }
  return new Proxy(store, {
    get(_, name: keyof Store) {
      const method: unknown = store[name]
      if (own[name] || typeof method !== 'function') return own[name]
      return alive(async (...args: unknown[]) => method.apply(store, args))
    },
  })
}
