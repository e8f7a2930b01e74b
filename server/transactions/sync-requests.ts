/**
 * Limits how often callbacks and due times cause a status query about one transaction. A thousand callbacks cause one
 * immediate query, and then at most one query per second. Queries for the polls of a page do not count, because a
 * callback often arrives during a poll, and the query for the callback must not wait.
 *
 * The times of queries are kept only in memory. A scheduled query is not lost in a restart, because its time is also
 * stored as the row's `due_at`. If the system clock jumps back, the times of earlier queries may lie in the future.
 * Such times are ignored.
 */

/**
 * The times of requested queries, by transaction id. A query is requested by a callback, by the return page, or by a
 * due time that has come.
 */
export type SyncRequests = ReturnType<typeof createSyncRequests>

/** The minimum pause between requested queries about one transaction, in milliseconds. */
export const SYNC_PAUSE_MS = 1_000
const MAX_REMEMBERED = 10_000

export function createSyncRequests() {
  const started = new Map<string, number>()
  const scheduled = new Map<string, number>()
  const returned = new Map<string, number>()
  return {
    /** Records that a query starts because a page polls. A query that is already scheduled is then not needed. */
    startPoll: (id: string) => void scheduled.delete(id),
    /** Records that a query starts because a synchronization was requested or the row is due. */
    startRequested(id: string, askedAt: number): void {
      scheduled.delete(id)
      if (started.size >= MAX_REMEMBERED) started.clear()
      started.set(id, askedAt)
    },
    /** Records that a query starts because a shopper returned from the hosted page. */
    startReturn(id: string, askedAt: number): void {
      scheduled.delete(id)
      if (returned.size >= MAX_REMEMBERED) returned.clear()
      returned.set(id, askedAt)
    },
    /**
     * Returns the time at which the last query for a returning shopper started, in milliseconds since the Unix epoch;
     * `null` if there was no query.
     */
    returnedAt(id: string, now: number): number | null {
      const at = returned.get(id) ?? Infinity
      return at > now ? null : at
    },
    /** Returns the earliest permitted time of the next requested query, in milliseconds since the Unix epoch. */
    earliest(id: string, now: number): number {
      const at = started.get(id) ?? -Infinity
      return at > now ? now : Math.max(now, at + SYNC_PAUSE_MS)
    },
    /** Records that a requested query will start at `dueAt`, in milliseconds since the Unix epoch. */
    schedule: (id: string, dueAt: number) => void scheduled.set(id, dueAt),
    /** Returns whether a requested query is scheduled but has not started. */
    isScheduled(id: string, now: number): boolean {
      const dueAt = scheduled.get(id) ?? 0
      return dueAt > now && dueAt <= now + SYNC_PAUSE_MS
    },
  }
}
