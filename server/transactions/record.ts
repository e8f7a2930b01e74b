/** Parses stored records. */

import type { z } from 'zod'
import type { Transaction } from '../store.ts'

/** A row whose record was parsed and validated. */
export type Stored<Record> = Omit<Transaction, 'record'> & { record: Record }

/** The stored record is damaged, or was written by a newer version. The row is not processed. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}

/** Returns a function that parses a row's record, and throws {@link RecordError} if the record is invalid. */
export function createReader<Schema extends z.ZodType>(schema: Schema) {
  return (row: Transaction): Stored<z.output<Schema>> => {
    const { success, data, error } = schema.safeParse(row.record)
    if (!success)
      throw new RecordError(`The record of ${row.kind} ${row.id} cannot be read.`, { cause: error })
    return { ...row, record: data }
  }
}

/** The fields that all API representations share. */
export function commonFieldsOf(row: Pick<Transaction, 'account' | 'created_at' | 'updated_at'>) {
  return {
    environment: row.account.environment,
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
  }
}

/** @param at Milliseconds since the Unix epoch. */
export function iso(at: number): string {
  return new Date(at).toISOString()
}
