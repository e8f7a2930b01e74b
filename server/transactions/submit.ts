/** Builds the rows of new transactions and inserts them. A transaction is stored before it is sent. */

import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Refusal } from '../api/refusal.ts'
import type { MerchantAccount, NewTransaction, Store, Tombstone, Transaction } from '../store/store.ts'
import type { Kind } from './kind.ts'
import type { Synchronizer } from './synchronizer.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import { refuse } from '../api/refusal.ts'
import { lookAlikeForm } from '../contract/characters.ts'
import { NEVER_ASKED, nextLookAt } from './schedule.ts'
import { newTraceId } from '../http/exchange.ts'

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

/** The transactions of one group, stored before the request or by it. */
export type Created<Row> = { kind: 'created' | 'existing'; rows: [Row, ...Row[]] }

/**
 * Stores the transactions of one group, unless a reference exists already. The group's reference is the idempotency key:
 * a request with other terms than the stored ones is refused. A single transaction is also sent. It is created even if
 * the gateway's response is lost: later status queries show whether the gateway received it.
 *
 * @param terms The terms of the new transactions, ordered by attempt.
 * @param reused The refusal to return if the reference was used for other terms.
 */
export async function submitOnce<Row extends Transaction>(
  { store, synchronizer, fingerprints }: SubmitDeps,
  rows: readonly NewTransaction[],
  { read, requestOf }: Pick<Kind<Row, never, never>, 'read' | 'requestOf'>,
  terms: readonly unknown[],
  reused: Refusal,
): Promise<Created<Row> | Refusal> {
  const [row, ...others] = rows
  if (!row) throw new Error('There is no transaction to insert.')
  const { account, kind, group } = row
  const submitted = others.length === 0 ? await synchronizer.submitNew(row) : null
  if (submitted) return { kind: 'created', rows: [read(submitted.transaction)] }
  const isNew = others.length > 0 && (await store.insert(row, ...others))
  const [first, ...more] = (await store.list(account, kind, group)).map(read)
  const stored = first ? [first, ...more] : []
  // Terms are equal if their JSON is equal.
  const isRepeated = (fingerprint: string, index: number) =>
    fingerprints.all('terms', JSON.stringify(terms[index])).includes(fingerprint)
  // If the reference belongs to another group, no transaction of this group is stored.
  const known = stored.map(({ record }) => requestOf(record).fingerprint)
  if (first && known.length === rows.length && known.every(isRepeated))
    return { kind: isNew ? 'created' : 'existing', rows: [first, ...more] }
  const pruned = first ? [] : await store.listTombstones(account, kind, group)
  const isSame = pruned.length === rows.length && pruned.map(({ digest }) => digest).every(isRepeated)
  return isSame ? refuse('record_deleted', describePruned(pruned)) : reused
}

/** Returns a sentence for the merchant about the outcomes and amounts of pruned transactions. */
export function describePruned(tombstones: readonly Tombstone[]): string {
  const ends = [...new Set(tombstones.map(({ amount, outcome }) => `${outcome} (${amount})`))].join(', ')
  return `It was settled long ago as ${ends}, and its record was deleted. Nothing was sent.`
}
