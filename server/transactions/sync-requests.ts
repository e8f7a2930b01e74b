/**
 * Which hints are noted and still to be followed, and when one was last followed, so that a thousand callbacks about
 * one transaction are one look, and then one a second. A page's polls do not count: the callback that brings the
 * outcome comes while somebody watches, and is not to wait for it.
 * Only what this process remembers: the row itself says when it is due. And only where it can be so: a clock that was
 * set back makes what has just been seem to come in hours.
 */

export interface SyncRequests {
  /** A question is under way: what was noted before is followed by it. */
  ask(id: string): void
  /** The same for a question that a hint, or its being due, has led to. */
  follow(id: string, askedAt: number): void
  /** When a hint may be followed. */
  soonest(id: string, now: number): number
  note(id: string, dueAt: number): void
  /** Whether a look that was noted is still to come. */
  isNoted(id: string, now: number): boolean
}

/** Hints are not followed sooner after each other: whoever repeats callbacks must not multiply into questions. */
export const SYNC_PAUSE_MS = 1_000
const MOST_REMEMBERED = 10_000

export function createSyncRequests(): SyncRequests {
  const followed = new Map<string, number>()
  const noted = new Map<string, number>()
  return {
    ask: (id) => void noted.delete(id),
    follow(id, askedAt) {
      noted.delete(id)
      if (followed.size >= MOST_REMEMBERED) followed.clear()
      followed.set(id, askedAt)
    },
    soonest(id, now) {
      const at = followed.get(id) ?? -Infinity
      return at > now ? now : Math.max(now, at + SYNC_PAUSE_MS)
    },
    note: (id, dueAt) => void noted.set(id, dueAt),
    isNoted(id, now) {
      const dueAt = noted.get(id) ?? 0
      return dueAt > now && dueAt <= now + SYNC_PAUSE_MS
    },
  }
}
