/**
 * Which hints are noted and still to be followed, so that a thousand callbacks about one transaction are one look.
 * Only what this process remembers: the row itself says when it is due.
 */

export interface Hints {
  /** A question is under way: what was noted before is followed by it. */
  ask(id: string, askedAt: number): void
  end(id: string): void
  /** When the question that is under way was asked. */
  askedAt(id: string): number | undefined
  note(id: string, dueAt: number): void
  /** Whether a look that was noted is still to come. */
  isNoted(id: string, now: number): boolean
}

export function createHints(): Hints {
  const asking = new Map<string, number>()
  const noted = new Map<string, number>()
  return {
    ask(id, askedAt) {
      noted.delete(id)
      asking.set(id, askedAt)
    },
    end: (id) => void asking.delete(id),
    askedAt: (id) => asking.get(id),
    note: (id, dueAt) => void noted.set(id, dueAt),
    isNoted: (id, now) => (noted.get(id) ?? 0) > now,
  }
}
