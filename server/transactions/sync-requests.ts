/**
 * Limits requested synchronizations: records, per transaction, when the last one ran and whether one is scheduled. A
 * thousand callbacks about one transaction cause one query, and then one per second. Polls by pages do not count: a
 * callback with the outcome often arrives while a page polls, and must not wait.
 *
 * These records live in memory only; the row's `due_at` survives a restart. After the system clock jumps back, recent
 * timestamps lie in the future; they are treated as now.
 */

export interface SyncRequests {
  /** Records that a poll's query starts. The query also answers all earlier requests. */
  startPoll(id: string): void
  /** Records that a query starts because of a request or a due row. */
  startRequested(id: string, askedAt: number): void
  /** Returns the earliest start of a requested query. */
  earliest(id: string, now: number): number
  schedule(id: string, dueAt: number): void
  /** Whether a requested query is scheduled and has not started. */
  isScheduled(id: string, now: number): boolean
}

/** Pause between requested queries of one transaction, so that repeated callbacks do not multiply queries. */
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
