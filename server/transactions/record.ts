import type { Transaction } from '../store.ts'
import { z } from 'zod'
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
    const known = read.get(row)
    if (known !== undefined) return known
    const stored = { ...row, record: parse(row) }
    read.set(row, stored)
    return stored
  }

  function parse(row: Transaction): z.output<Schema> {
    const given = row.record
    const known = isObject(given) ? parsed.get(given) : undefined
    if (known !== undefined) return known
    const { success, data, error } = schema.safeParse(given)
    if (!success)
      throw new RecordError(`The record of ${row.kind} ${row.reference} cannot be read.`, { cause: error })
    if (isObject(given)) parsed.set(given, data)
    return data
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
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
