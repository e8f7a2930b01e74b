/** Finds and reads stored transactions, and compares a repeated request with the stored one. */

import type { MerchantAccount, Store, Transaction } from '../store/store.ts'
import { z } from 'zod'
import { KindName } from '../api/kinds.ts'
import { isDecimal } from '../contract/decimal.ts'

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
  /** Cache of parsed records. The key is the record object that the store returned. */
  const parsed = new WeakMap<object, z.output<Schema>>()
  /** Cache of rows with parsed records. The key is the row that the store returned. */
  const read = new WeakMap<Transaction, Stored<z.output<Schema>>>()
  return (row: Transaction): Stored<z.output<Schema>> => {
    const cached = read.get(row)
    if (cached !== undefined) return cached
    const stored = { ...row, record: parse(row) }
    read.set(row, stored)
    return stored
  }

  function parse(row: Transaction): z.output<Schema> {
    const { record } = row
    const cached = isObject(record) ? parsed.get(record) : undefined
    if (cached !== undefined) return cached
    const { success, data, error } = schema.safeParse(record)
    if (!success)
      throw new RecordError(`The record of ${row.kind} ${row.reference} cannot be read.`, { cause: error })
    if (isObject(record)) parsed.set(record, data)
    return data
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
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
  return [...new Map(rows.flat().flatMap((row) => (row ? [[row.id, row]] : []))).values()]
}

/** The part of a merchant's request that is kept in the tombstone of the pruned transaction. */
export interface Requested {
  /** Amount and currency, such as "1500 KES". */
  amount: string
  /**
   * The fingerprint of the terms, by which a repeated request is recognized; of a checkout, its order. Never empty: rows
   * without it are not tombstones.
   */
  fingerprint: string
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
