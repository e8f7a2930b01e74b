/** The tombstone of a pruned transaction: what stays of it in the store, and what the merchant is told of it. */

import type { Tombstone } from '../store/retention.ts'

/** What the tombstone of a pruned transaction keeps of the merchant's request. */
export interface Requested {
  /** Amount and currency, such as "1500 KES". */
  amount: string
  /**
   * The fingerprint of the terms, by which a repeated request is recognized; of a checkout, its order. Never empty:
   * rows without it are not tombstones.
   */
  fingerprint: string
}

/** Returns a sentence for the merchant about the outcomes and amounts of pruned transactions. */
export function describePruned(tombstones: readonly Tombstone[]): string {
  const ends = new Set(tombstones.map(({ amount, outcome }) => `${outcome} (${amount})`))
  return `It was settled long ago as ${[...ends].join(', ')}, and its record was deleted. Nothing was sent.`
}
