/** Stored records: how one is read, built and opened once. */

import type { z } from 'zod'
import type { MerchantAccount, NewTransaction, Store, Transaction } from '../store.ts'
import { nextQueryAt } from './schedule.ts'

/** A row whose record was read and understood. */
export type Stored<Record> = Omit<Transaction, 'record'> & { record: Record }

/** The stored record was damaged, or written by a version that knows more. Nothing is done with the row. */
export class RecordError extends Error {
  override readonly name = 'RecordError'
}

/** @returns A reader that throws {@link RecordError}. */
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
  /** What it is made for, where that is not the reference itself. */
  group?: string
  attempt?: number
  record: object
  now: number
}

/** A transaction that was not sent yet. */
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
 * Inserts transactions of one group, or finds those that the group has already. The reference is the idempotency key:
 * the caller compares what is stored with what was asked for.
 *
 * @returns All transactions of the group; none where a reference belongs to another group.
 */
export async function openOnce(
  store: Store,
  rows: readonly [NewTransaction, ...NewTransaction[]],
): Promise<{ isNew: boolean; stored: Transaction[] }> {
  const [{ account, kind, group }] = rows
  const isNew = await store.insert(...rows)
  return { isNew, stored: await store.list(account, kind, group) }
}

/** What every tracked resource says of its row. */
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
