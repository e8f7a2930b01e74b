import type { Store } from '../../../server/store/store.ts'

/** Returns the store. While a call of the store has not returned, `calls.running` counts this call. */
export function counting(store: Store, calls: { running: number }): Store {
  return new Proxy(store, {
    get(_, name: keyof Store) {
      const method: unknown = store[name]
      if (typeof method !== 'function') {
        return method
      }

      return (...args: unknown[]) => {
        const result: unknown = method.apply(store, args)
        if (!(result instanceof Promise)) {
          return result
        }

        calls.running += 1
        return result.finally(() => (calls.running -= 1))
      }
    },
  })
}
