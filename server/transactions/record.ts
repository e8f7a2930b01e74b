/** Makes, finds and reads the rows of transactions. A transaction is stored before it is sent. */

import { z } from 'zod'

import { KindName } from '../api/kind-table.ts'
import { isDecimal } from '../contract/decimal.ts'
import { newTraceId } from '../http/exchange.ts'
import { NEVER_ASKED } from '../store/store.ts'
import { nextLookAt } from './schedule.ts'

import type { MerchantAccount, NewTransaction, Store, Tombstone, Transaction } from '../store/store.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'

/** A stored transaction whose record was parsed and validated. */
export type Stored<Record> = Omit<Transaction, 'record'> & { record: Record }

/** The schema of a stored amount: decimal text. */
export const storedAmount = z.string().refine(isDecimal)

/** The largest time that `Date` can represent, in milliseconds since the Unix epoch. */
const LATEST = 8.64e15
/** The schema of a stored time, in milliseconds since the Unix epoch. */
export const storedTime = z.number().min(-LATEST).max(LATEST)

/**
 * Thrown if a stored record is damaged, or was written by a newer version of the server. The transaction is then not
 * processed.
 */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}

/**
 * Returns a function that parses the record of a transaction. The function throws a {@link RecordError} if the record
 * is invalid.
 */
export function createReader<Schema extends z.ZodType>(schema: Schema) {
  /** A row that the store keeps in memory is parsed once. */
  const parsed = new WeakMap<Transaction, Stored<z.output<Schema>>>()
  return (row: Transaction): Stored<z.output<Schema>> => {
    const earlier = parsed.get(row)
    if (earlier) {
      return earlier
    }

    const { success, data, error } = schema.safeParse(row.record)
    if (!success) {
      throw new RecordError(`The record of ${row.kind} ${row.reference} cannot be read.`, { cause: error })
    }

    const stored = { ...row, record: data }
    parsed.set(row, stored)
    return stored
  }
}

interface CreateDeps {
  account: MerchantAccount
  clock: Clock
  randomness: Randomness
}

/** By default, `id` and `trace_id` are random, `group` is the reference, and `attempt` is 1. */
type NewValues = Pick<NewTransaction, 'kind' | 'reference'> &
  Partial<Pick<NewTransaction, 'id' | 'group' | 'attempt' | 'trace_id' | 'prompt'>> & { record: object }

/** Returns the row of a new transaction that has not been sent. */
export function newTransaction(
  { account, clock, randomness }: CreateDeps,
  values: NewValues,
): NewTransaction {
  const { kind, reference, group = reference } = values
  const now = clock.now()
  return {
    account,
    attempt: 1,
    outcome: kind === 'checkout' ? 'waiting' : 'sending',
    ...values,
    group,
    id: values.id ?? randomness.token(),
    trace_id: values.trace_id ?? newTraceId(randomness),
    created_at: now,
    sent_at: null,
    due_at: nextLookAt({ stage: 'unacknowledged', since: now }, NEVER_ASKED, now),
  }
}

interface FindDeps {
  store: Store
  account: MerchantAccount
}

/** Resolves with the transaction; `null` if none has this id, or if it belongs to another merchant account. */
export async function findOwn({ store, account }: FindDeps, id: string): Promise<Transaction | null> {
  const row = await store.find(id)
  return row?.account === account ? row : null
}

/**
 * Resolves with the transactions that `reference` identifies. `reference` is the reference of a transaction at the
 * gateway, the id of a transaction, the reference of an order, or the reference in a request to `POST /api/airtime`.
 */
export async function findByReference(deps: FindDeps, reference: string): Promise<Transaction[]> {
  const { store, account } = deps
  const rows = await Promise.all([
    findOwn(deps, reference),
    ...KindName.options.flatMap((kind) => [
      store.findByReference(account, kind, reference),
      store.list(account, kind, reference),
    ]),
  ])
  const found = rows.flat().filter((row) => row !== null)
  return [...new Map(found.map((row) => [row.id, row])).values()]
}

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
  const ends = [...new Set(tombstones.map(({ amount, outcome }) => `${outcome} (${amount})`))].join(', ')
  return `It was settled long ago as ${ends}, and its record was deleted. Nothing was sent.`
}

/** Returns what names a transaction in the log: a checkout has its order, which the merchant knows it by. */
export function namesOf({ kind, reference, group, trace_id }: Transaction) {
  return { kind, reference, ...(kind === 'checkout' && { order: group }), trace_id }
}

/** Returns the fields that the API's responses contain for transactions of every kind. */
export function commonFieldsOf(row: Pick<Transaction, 'account' | 'created_at' | 'updated_at'>) {
  return {
    environment: environmentOf(row),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

/** Returns the gateway's environment of a transaction. A rehearsal shows the merchant what production will. */
export function environmentOf({ account }: Pick<Transaction, 'account'>): 'sandbox' | 'production' {
  return account === 'sandbox' ? 'sandbox' : 'production'
}

/**
 * Formats a time as ISO 8601, UTC.
 *
 * @param at The time, in milliseconds since the Unix epoch.
 */
export function iso(at: number): string {
  return new Date(at).toISOString()
}
