/**
 * What the store may have lost, if it was restored from a backup: the requests and decisions that were sent since the
 * backup, and that the gateway may know. Pure.
 *
 * [assumed] No request is repeated later than 30 days after the store was restored.
 */

import { DAY } from './schedule.ts'

import type { Marks } from '../store/store.ts'
import type { Transaction } from '../store/transactions.ts'

/**
 * Returns whether a request that is new to the store may have been sent before.
 *
 * @param recoveredAt When the store was recovered; `null` if it never was.
 */
export function mayHaveLost(created_at: number, recoveredAt: number | null): boolean {
  return recoveredAt !== null && created_at - recoveredAt < 30 * DAY
}

type Sends = Pick<Transaction, 'sent_at' | 'recovered_at'>

/**
 * Returns whether the store may have lost a send of the transaction, or the answer to its last one: it was restored since
 * then from a backup.
 */
export function mayHaveLostSend({ sent_at, recovered_at }: Sends): boolean {
  return recovered_at !== null && (sent_at === null || sent_at < recovered_at)
}

/** Returns when the transaction was last sent, at the latest; `null` if it never was. */
export function lastSendOf(row: Sends): number | null {
  return mayHaveLostSend(row) ? row.recovered_at : row.sent_at
}

/**
 * Returns whether the store may have lost a decision about the transaction. A transaction that this store has never sent
 * was found at the gateway.
 */
export function mayHaveLostDecision(
  { sent_at }: Pick<Transaction, 'sent_at'>,
  recoveredAt: number | null,
): boolean {
  return recoveredAt !== null && (sent_at === null || sent_at < recoveredAt)
}

/**
 * Returns whether a charge may have been lost that the gateway finds only by its id, which is lost as well. A person has
 * to compare the store with the merchant portal (`recover --compared`).
 */
export function mayHaveLostById(created_at: number, { recovered, compared }: Marks): boolean {
  const isCompared = recovered !== null && compared !== null && compared >= recovered
  return mayHaveLost(created_at, recovered) && !isCompared
}
