/**
 * Remembers up to which due time a queue has nothing to claim, so that the next claim reads its index only from there.
 *
 * Each change of a due time leaves a dead index entry, which Postgres cannot remove while any transaction of the
 * database, such as a backup, is older. A claim that reads the index from its beginning steps over all of them.
 *
 * The floor knows the changes of this process. What other processes make due below it is claimed by them, or, if they
 * die, by the next complete claim, which reads from the beginning.
 */

import type { Clock } from '../../clock.ts'

export interface ClaimFloor {
  /** Reports that this process made a row claimable at this time. */
  lower(dueAt: number | null): void
  /** Reads rows that are due at the floor or later. */
  read<T>(now: number, query: (floor: number) => Promise<T>): Promise<T>
  /** Claims rows that are due at the floor or later. `reached` returns up to when no other row is due. */
  claim<T>(now: number, query: (floor: number) => Promise<T>, reached: (result: T) => number): Promise<T>
}

const COMPLETE_EVERY_MS = 1_000
/** A complete claim may take this part of the time. */
const COMPLETE_SHARE = 1 / 20

export function createClaimFloor(clock: Clock): ClaimFloor {
  let floor = 0
  let completeAt = 0
  /** For each claim under way, the earliest time that was reported since it began. */
  const running = new Set<{ lowest: number }>()

  async function read<T>(now: number, query: (floor: number) => Promise<T>): Promise<T> {
    const begun = clock.now()
    if (begun < completeAt && now >= floor) return query(floor)
    try {
      return await query(0)
    } finally {
      const took = clock.now() - begun
      completeAt = begun + Math.max(COMPLETE_EVERY_MS, took / COMPLETE_SHARE)
    }
  }

  return {
    read,
    lower(dueAt) {
      if (dueAt === null) return
      floor = Math.min(floor, dueAt)
      for (const claim of running) claim.lowest = Math.min(claim.lowest, dueAt)
    },
    async claim(now, query, reached) {
      const claim = { lowest: Infinity }
      running.add(claim)
      try {
        const result = await read(now, query)
        floor = Math.min(reached(result), claim.lowest)
        return result
      } finally {
        running.delete(claim)
      }
    },
  }
}
