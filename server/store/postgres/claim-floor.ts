/**
 * Remembers, for one queue, a time before which no row can be claimed (the floor). Claims skip the part of the index
 * before the floor.
 *
 * Each change of a due time leaves a dead index entry. Postgres cannot remove these entries during a long database
 * transaction, such as a backup. A claim from the beginning of the index would read all of them.
 *
 * The floor considers only changes by this process. Other processes claim the rows that they make due. If such a
 * process crashes, this process finds these rows by reading without the floor, usually once per second.
 */

import type { Clock } from '../../clock.ts'

export interface ClaimFloor {
  /**
   * Lowers the floor to `dueAt` if the floor is higher. Called when this process makes a row claimable at `dueAt`;
   * `null` has no effect.
   */
  lower(dueAt: number | null): void
  /**
   * Runs `query` with the floor, to read the rows that are claimable at or after that time. Regularly runs `query` with
   * 0 instead, to read all claimable rows.
   */
  read<T>(now: number, query: (floor: number) => Promise<T>): Promise<T>
  /**
   * Runs `query` like `read`, then sets the floor to `reached(result)`, the time before which no claimable row remains.
   */
  claim<T>(now: number, query: (floor: number) => Promise<T>, reached: (result: T) => number): Promise<T>
}

const COMPLETE_EVERY_MS = 1_000
/** The maximum share of the total time that complete reads may take. A complete read ignores the floor. */
const COMPLETE_SHARE = 1 / 20

export function createClaimFloor(clock: Clock): ClaimFloor {
  let floor = 0
  let completeAt = 0
  /** The claims in flight. `lowest` is the lowest time that `lower` has received since the claim began. */
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
