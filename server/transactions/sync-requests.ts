/**
 * Limits how often requested synchronizations query the gateway. A thousand callbacks about one transaction cause one
 * query at once, and then at most one per second. Polls by pages do not count: a callback with the outcome often
 * arrives while a page polls, and must not wait.
 *
 * The start times are kept in memory only; after a restart, the row's `due_at` still causes the query. After the system
 * clock jumps back, recent timestamps lie in the future; they are treated as now.
 */

export interface SyncRequests {
  /** Records that a query starts because of a poll. This query also serves all earlier requests. */
  startPoll(id: string): void
  /** Records that a query starts because a synchronization was requested or the row is due. */
  startRequested(id: string, askedAt: number): void
  /** Returns the earliest permitted time of a requested query, in milliseconds since the Unix epoch. */
  earliest(id: string, now: number): number
  /** Records that a requested query is scheduled to start at `dueAt`. */
  schedule(id: string, dueAt: number): void
  /** Returns whether a requested query is scheduled but has not started. */
  isScheduled(id: string, now: number): boolean
}

/** Pause between requested queries of one transaction, in milliseconds. */
export const SYNC_PAUSE_MS = 1_000
const MAX_REMEMBERED = 10_000

export function createSyncRequests(): SyncRequests {
  const started = new Map<string, number>()
  const scheduled = new Map<string, number>()
  return {
    startPoll: (id) => void scheduled.delete(id),
    startRequested(id, askedAt) {
      scheduled.delete(id)
      if (started.size >= MAX_REMEMBERED) started.clear()
      started.set(id, askedAt)
    },
    earliest(id, now) {
      const at = started.get(id) ?? -Infinity
      return at > now ? now : Math.max(now, at + SYNC_PAUSE_MS)
    },
    schedule: (id, dueAt) => void scheduled.set(id, dueAt),
    isScheduled(id, now) {
      const dueAt = scheduled.get(id) ?? 0
      return dueAt > now && dueAt <= now + SYNC_PAUSE_MS
    },
  }
}
