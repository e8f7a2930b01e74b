/**
 * Stores the floor of one queue of due rows. The floor is a time before which the queue has no claimable rows, so
 * claims skip the earlier part of the index of due times.
 *
 * Each change of a due time leaves a dead index entry. Postgres cannot remove dead entries during a long database
 * transaction, such as a backup. A claim without a floor would read all dead entries.
 *
 * Each process has its own floor. A process lowers its floor for the rows that it makes due itself, so that it finds
 * these rows. About once per second, a process reads without a floor, to find the rows of processes that have crashed.
 */

import type { Clock } from '../../clock.ts'

export interface ClaimFloor {
  /**
   * Lowers the floor to `dueAt` if the floor is a later time. Must be called when this process makes a row claimable at
   * `dueAt`. `null` has no effect.
   */
  lower(dueAt: number | null): void
  /**
   * Calls `query` with the floor, so that `query` skips earlier index entries. About once per second, calls `query`
   * with 0 instead, so that `query` reads all index entries.
   */
  read<T>(now: number, query: (floor: number) => Promise<T>): Promise<T>
  /**
   * Like `read`, but `query` claims rows. Then sets the floor to `reached(result)`, the time before which the claim has
   * left no claimable row.
   */
  claim<T>(now: number, query: (floor: number) => Promise<T>, reached: (result: T) => number): Promise<T>
}

const COMPLETE_EVERY_MS = 1_000
/**
 * The maximum fraction of the time that a process may spend on complete reads. A complete read reads the index from its
 * beginning, without a floor.
 */
const COMPLETE_SHARE = 1 / 20

export function createClaimFloor(clock: Clock): ClaimFloor {
  let floor = 0
  let completeAt = 0
  /** The claims in flight. `lowest` is the lowest time that `lower` has received during the claim. */
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
