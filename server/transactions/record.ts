/** Builds, inserts and parses stored records. */

import type { z } from 'zod'
import type { MerchantAccount, NewTransaction, Store, Transaction } from '../store.ts'
import { nextQueryAt } from './schedule.ts'

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

interface Opening {
  id: string
  kind: Transaction['kind']
  account: MerchantAccount
  /** Unique per account and kind. */
  reference: string
  /** Default: the reference. */
  group?: string
  attempt?: number
  record: object
  now: number
}

/** Builds the row of an unsent transaction. */
export function newTransaction({ now, ...row }: Opening): NewTransaction {
  return {
    group: row.reference,
    attempt: 1,
    outcome: row.kind === 'checkout' ? 'waiting' : 'sending',
    ...row,
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
export async function openOnce(
  store: Store,
  rows: readonly [NewTransaction, ...NewTransaction[]],
): Promise<{ isNew: boolean; stored: Transaction[] }> {
  const [{ account, kind, group }] = rows
  const isNew = await store.insert(...rows)
  return { isNew, stored: await store.list(account, kind, group) }
}

/** The fields that all API representations share. */
export function commonFieldsOf({
  account,
  created_at,
  updated_at,
}: Pick<Transaction, 'account' | 'created_at' | 'updated_at'>) {
  return {
    environment: account.environment,
    created_at: new Date(created_at).toISOString(),
    updated_at: new Date(updated_at).toISOString(),
  }
}
