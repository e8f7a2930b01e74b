/**
 * Remembers a time before which a queue has no claimable rows (the floor). Claims skip the part of the index before the
 * floor.
 *
 * Each change of a due time leaves a dead index entry. Postgres cannot remove these entries during a long transaction,
 * such as a backup, and a claim from the beginning of the index reads all of them.
 *
 * The floor covers the changes of this process only. Other processes claim the rows that they make due. If they crash,
 * a claim without the floor, usually every second, finds these rows.
 */

import type { Clock } from '../../clock.ts'

export interface ClaimFloor {
  /** Records that this process made a row claimable at this time; `null` has no effect. */
  lower(dueAt: number | null): void
  /** Reads rows that are claimable at the floor or later, or all claimable rows if a complete read is due. */
  read<T>(now: number, query: (floor: number) => Promise<T>): Promise<T>
  /**
   * Claims rows like `read`, then sets the floor to `reached(result)`, the time before which no claimable row remains.
   */
  claim<T>(now: number, query: (floor: number) => Promise<T>, reached: (result: T) => number): Promise<T>
}

const COMPLETE_EVERY_MS = 1_000
/** Largest part of the time that complete reads may take. A complete read ignores the floor. */
const COMPLETE_SHARE = 1 / 20

export function createClaimFloor(clock: Clock): ClaimFloor {
  let floor = 0
  let completeAt = 0
  /** The claims in flight, each with the lowest time that `lower` received since the claim began. */
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
