/**
 * Counts requests per key, for example per client network. The time window of a key begins with the key's first
 * request. The first request after the end of the window begins a new window.
 */

export interface Count {
  count: number
  /** End of the time window, in milliseconds since the Unix epoch. */
  endsAt: number
}

/**
 * The maximum number of keys of one limit. If there are more keys, the key whose time window began first is deleted. Each key takes
 * about 200 bytes of memory.
 */
const MOST_KEYS = 20_000

export interface Counts {
  /** Returns the count of a key in its current time window; `null` if the key has no current window. */
  find(key: string, windowMs: number, now: number): Count | null
  add(key: string, windowMs: number, now: number): Count
  set(key: string, count: Count): void
}

export function createCounts(): Counts {
  const counts = new Map<string, Count>()
  return { find, add, set }

  function find(key: string, windowMs: number, now: number): Count | null {
    const found = counts.get(key)
    if (!found) return null
    const leftMs = found.endsAt - now
    // After the system clock jumps back, the end of a window may lie too far in the future.
    return leftMs > 0 && leftMs <= windowMs ? found : null
  }

  function add(key: string, windowMs: number, now: number): Count {
    const found = find(key, windowMs, now)
    const added = { count: (found?.count ?? 0) + 1, endsAt: found?.endsAt ?? now + windowMs }
    set(key, added)
    return added
  }

  function set(key: string, count: Count): void {
    if (counts.get(key)?.endsAt !== count.endsAt) counts.delete(key)
    counts.set(key, count)
    if (counts.size <= MOST_KEYS) return
    const [oldest = ''] = counts.keys()
    counts.delete(oldest)
  }
}
