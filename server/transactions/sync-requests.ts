/**
 * Remembers per transaction when a requested synchronization last ran and whether one is already scheduled, so that a
 * thousand callbacks about one transaction cause one query, and then one a second. Polls of a page do not count: the
 * callback that brings the outcome often arrives while a page polls, and must not wait for it.
 *
 * Only this process remembers it; the row's `due_at` is what survives. After the system clock jumps back, recent
 * timestamps lie in the future; they are treated as now.
 */

export interface SyncRequests {
  /** A query for a poll starts: requests made before are answered by it. */
  startPoll(id: string): void
  /** A query for a request, or for a row that is due, starts. */
  startRequested(id: string, askedAt: number): void
  /** When a requested query may start. */
  earliest(id: string, now: number): number
  schedule(id: string, dueAt: number): void
  /** Whether a requested query is scheduled and still to come. */
  isScheduled(id: string, now: number): boolean
}

/** Pause between requested queries of one transaction: repeated callbacks must not multiply into queries. */
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
