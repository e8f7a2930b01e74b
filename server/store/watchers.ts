/** Tells the parts of this process that watch the store about changes, by this process and by others. */

import type { Clock } from '../work/clock.ts'
import type { Changed } from './store.ts'
import type { Driver } from './driver.ts'

type Watcher = (change: Changed) => void

/** The pause between two looks for changes by other processes, in milliseconds. */
const PAUSE_MS = 500

export function createWatchers({ findForeign }: Driver, clock: Clock) {
  /** The watchers, each with a function that returns the ids of the transactions that it watches. */
  const watchers = new Map<Watcher, () => string[]>()
  let looking: AbortController | null = null
  return { watch, announce, close }

  function watch(changed: Watcher, watched: () => string[] = () => []): () => void {
    watchers.set(changed, watched)
    if (!looking && findForeign) void look(findForeign, (looking = new AbortController()).signal)
    return () => {
      watchers.delete(changed)
      if (watchers.size === 0) close()
    }
  }

  function announce(change: Changed): void {
    for (const changed of watchers.keys()) changed(change)
  }

  function close(): void {
    watchers.clear()
    looking?.abort()
    looking = null
  }

  async function look(find: NonNullable<Driver['findForeign']>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const watched = new Set([...watchers.values()].flatMap((ids) => ids()))
      // While the store cannot be used, whoever uses it reports the error.
      const changes = await find([...watched]).catch(() => [])
      if (!signal.aborted) changes.forEach(announce)
      await clock.sleep(PAUSE_MS, signal).catch(() => {})
    }
  }
}
