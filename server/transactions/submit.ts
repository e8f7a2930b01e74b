/** Builds the rows of new transactions and inserts them. A transaction is stored before it is sent. */

import type { Clock } from '../work/clock.ts'
import type { Fingerprints } from '../privacy/fingerprints.ts'
import type { Randomness } from '../work/randomness.ts'
import type { MerchantAccount, NewTransaction, Store, Tombstone, Transaction } from '../store/store.ts'
import type { Synchronizer } from './synchronizer.ts'
import { lookAlikeForm } from '../contract/characters.ts'
import { newTraceId } from '../http/trace.ts'
import { NEVER_ASKED, nextLookAt } from './schedule.ts'

export interface SubmitDeps {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  clock: Clock
  randomness: Randomness
  fingerprints: Fingerprints
}

type Opening = Pick<NewTransaction, 'kind' | 'reference'> &
  /** Optional fields. By default, `id` and `trace_id` are random, `group` is the reference, and `attempt` is 1. */
  Partial<Pick<NewTransaction, 'id' | 'group' | 'attempt' | 'trace_id' | 'asked'>> & { record: object }

/** Returns the row of a new transaction that has not been sent. */
export function newTransaction({ account, clock, randomness }: SubmitDeps, row: Opening): NewTransaction {
  const now = clock.now()
  return {
    account,
    group: row.reference,
    attempt: 1,
    ...(row.kind === 'checkout' && { alike: lookAlikeForm(row.group ?? row.reference) }),
    outcome: row.kind === 'checkout' ? 'waiting' : 'sending',
    ...row,
    id: row.id ?? randomness.token(),
    trace_id: row.trace_id ?? newTraceId(randomness),
    created_at: now,
    sent_at: null,
    due_at: nextLookAt({ stage: 'unacknowledged', since: now }, NEVER_ASKED, now),
  }
}

/**
 * Inserts the transactions of one group, or none of them if a reference exists already. The group's reference is the
 * idempotency key: if nothing is inserted, the caller compares the stored requests with the new requests.
 *
 * @returns `isNew` is true if the transactions were inserted. `stored` contains all transactions of the group; it is
 * empty if a reference belongs to another group, or if the group was pruned. `pruned` contains the tombstones of the
 * group; it is empty if the group was not pruned.
 */
export async function openOnce<Row>(
  store: Store,
  rows: readonly NewTransaction[],
  read: (row: Transaction) => Row,
): Promise<{ isNew: boolean; stored: Row[]; pruned: Tombstone[] }> {
  const [first, ...others] = rows
  if (!first) throw new Error('There is no transaction to insert.')
  const isNew = await store.insert(first, ...others)
  const { account, kind, group } = first
  const stored = (await store.list(account, kind, group)).map(read)
  const pruned = stored.length > 0 ? [] : await store.listTombstones(account, kind, group)
  return { isNew, stored, pruned }
}

/**
 * Inserts and sends a transaction, unless its reference exists already. The reference is the idempotency key: if
 * nothing is inserted, the caller compares the stored request with the new request.
 *
 * @returns `isNew` is true if the transaction was inserted. `stored` is the new or the existing transaction; it is
 * `undefined` if the reference belongs to another group, or if the transaction was pruned. `pruned` contains the
 * transaction's tombstone; it is empty if the transaction was not pruned.
 */
export async function submitOnce<Row>(
  { store, synchronizer }: SubmitDeps,
  row: NewTransaction,
  read: (row: Transaction) => Row,
): Promise<{ isNew: boolean; stored: Row | undefined; pruned: Tombstone[] }> {
  const submitted = await synchronizer.submitNew(row)
  if (submitted) return { isNew: true, stored: read(submitted.transaction), pruned: [] }
  const { account, kind, group } = row
  const [existing] = await store.list(account, kind, group)
  if (existing) return { isNew: false, stored: read(existing), pruned: [] }
  return { isNew: false, stored: undefined, pruned: await store.listTombstones(account, kind, group) }
}
