/** Reads the records of stored transactions, each with the schema of its kind. */

import { z } from 'zod'

import { isDecimal } from '../contract/decimal.ts'

import type { Transaction } from '../store/transactions.ts'

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
  /** A row that the store keeps in memory stays one object, and so does a record that a change of its row leaves as it was. */
  const rows = new WeakMap<Transaction, Stored<z.output<Schema>>>()
  const records = new WeakMap<object, z.output<Schema>>()
  return (row: Transaction): Stored<z.output<Schema>> => {
    const earlier = rows.get(row)
    if (earlier) {
      return earlier
    }

    const stored = { ...row, record: readRecord(row) }
    rows.set(row, stored)
    return stored
  }

  function readRecord({ kind, reference, record }: Transaction): z.output<Schema> {
    const earlier = isObject(record) ? records.get(record) : undefined
    if (earlier !== undefined) {
      return earlier
    }

    const { success, data, error } = schema.safeParse(record)
    if (!success) {
      throw new RecordError(`The record of ${kind} ${reference} cannot be read.`, { cause: error })
    }

    if (isObject(record)) {
      records.set(record, data)
    }
    return data
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
