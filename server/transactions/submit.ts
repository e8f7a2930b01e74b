/** Creates transactions: builds and inserts their rows before they are sent. */

import type { Clock } from '../clock.ts'
import type { Randomness } from '../randomness.ts'
import type { MerchantAccount, NewTransaction, Store, Transaction } from '../store.ts'
import type { Synchronizer } from './synchronizer.ts'
import { nextQueryAt } from './schedule.ts'

/** Dependencies of the submission of every kind. */
export interface SubmitDeps {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  clock: Clock
  randomness: Randomness
}

type Opening = Pick<NewTransaction, 'kind' | 'reference'> &
  /** Default: a random id; the reference as group; attempt 1. */
  Partial<Pick<NewTransaction, 'id' | 'group' | 'attempt'>> & { record: object }

/** Builds the row of an unsent transaction. */
export function newTransaction({ account, clock, randomness }: SubmitDeps, row: Opening): NewTransaction {
  const now = clock.now()
  return {
    account,
    group: row.reference,
    attempt: 1,
    outcome: row.kind === 'checkout' ? 'waiting' : 'sending',
    ...row,
    id: row.id ?? randomness.token(),
    created_at: now,
    due_at: nextQueryAt({ stage: 'unacknowledged' }, now),
  }
}

/**
 * Inserts transactions of one group, or finds the group's existing transactions. The reference is the idempotency key:
 * the caller compares the stored request with the new request.
 *
 * @returns All transactions of the group; none if a reference belongs to another group.
 */
export async function openOnce<Row>(
  store: Store,
  rows: readonly NewTransaction[],
  read: (row: Transaction) => Row,
): Promise<{ isNew: boolean; stored: Row[] }> {
  const [first, ...others] = rows
  if (!first) throw new Error('There is no transaction to insert.')
  const isNew = await store.insert(first, ...others)
  return { isNew, stored: (await store.list(first.account, first.kind, first.group)).map(read) }
}
