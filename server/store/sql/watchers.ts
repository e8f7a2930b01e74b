/**
 * Tells those who watch the store of each change. Changes by other processes are looked for twice a second, as long as
 * somebody watches.
 */

import type { Clock } from '../../work/clock.ts'
import type { Driver } from '../driver.ts'
import type { Changed } from '../transactions.ts'

type Watcher = (change: Changed) => void

/** The pause between two searches for changes by other processes, in milliseconds. */
const PAUSE_MS = 500

export function createWatchers({ findForeign }: Driver, clock: Clock) {
  /** The watchers, each with a function that returns the ids of the transactions that it watches. */
  const watchers = new Map<Watcher, () => string[]>()
  let polling: AbortController | null = null
  return { watch, announce, close }

  function watch(changed: Watcher, watched: () => string[] = () => []): () => void {
    watchers.set(changed, watched)
    if (!polling && findForeign) {
      polling = new AbortController()
      void poll(findForeign, polling.signal)
    }

    return () => {
      watchers.delete(changed)
      if (watchers.size === 0) {
        close()
      }
    }
  }

  function announce(change: Changed): void {
    for (const changed of watchers.keys()) {
      changed(change)
    }
  }

  function close(): void {
    watchers.clear()
    polling?.abort()
    polling = null
  }

  async function poll(find: NonNullable<Driver['findForeign']>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const watched = new Set([...watchers.values()].flatMap((ids) => ids()))
      // Nothing is lost with an error: polling goes on, and the other callers of the store report theirs.
      const changes = await find([...watched]).catch(() => [])
      if (!signal.aborted) {
        for (const change of changes) {
          announce(change)
        }
      }

      await clock.sleep(PAUSE_MS, signal).catch(() => {})
    }
  }
}
