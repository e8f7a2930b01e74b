/** Inserts and changes transactions. The statements of concurrent calls are combined (`batches.ts`). */

import type { Change, NewTransaction, Transaction } from '../../store.ts'
import type { Database } from './database.ts'
import type { KeptRow, RowReader } from './row-reader.ts'
import { z } from 'zod'
import { BATCH_STATEMENTS } from './batch-statements.ts'
import { createBatches } from './batches.ts'
import { DuplicateError } from './database.ts'
import { columnsOf, IdRows } from './rows.ts'
import { STATEMENTS } from './statements.ts'

interface Writes {
  insert(transactions: NewTransaction[]): Promise<boolean>
  commit(id: string, version: number, change: Change): Promise<Transaction | null>
}

interface ChangeItem {
  id: string
  version: number
  change: Change
  /** The new record as JSON text; `null` if the record is unchanged. */
  record: string | null
  kept: KeptRow | undefined
}

/** The changed row as Postgres returns it; `null` if no row has the item's id and version. */
type SavedRow = object | null

export function createWrites(database: Database, rows: RowReader): Writes {
  const inserts = createBatches({
    runAll: insertNew,
    runOne: insertOne,
    keyOf: ({ id }: NewTransaction) => id,
  })
  const changes = createBatches({ runAll: commitAll, runOne: commitOne, keyOf: ({ id }: ChangeItem) => id })
  return {
    async insert(transactions) {
      const [first, ...others] = transactions
      if (first && others.length === 0) return inserts.add(first)
      try {
        await database.query(STATEMENTS.insertAll, columnsOf(transactions))
        return true
      } catch (error) {
        if (error instanceof DuplicateError) return false
        throw error
      }
    },

    async commit(id, version, change) {
      const record = change.record === undefined ? null : JSON.stringify(change.record)
      const item = { id, version, change, record, kept: record === null ? rows.kept(id) : undefined }
      const saved = change.events?.length ? await commitOne(item) : await changes.add(item)
      return saved && rows.read(saved, item.kept)
    },
  }

  async function insertNew(transactions: NewTransaction[]): Promise<boolean[]> {
    const inserted = await database.query(BATCH_STATEMENTS.insert, columnsOf(transactions))
    const ids = new Set(IdRows.parse(inserted).map(({ id }) => id))
    return transactions.map(({ id }) => ids.has(id))
  }

  async function insertOne(transaction: NewTransaction): Promise<boolean> {
    const [isNew] = await insertNew([transaction])
    return isNew === true
  }

  /** Leaves out each item whose transaction has another version or is locked. `commitOne` then decides about the item. */
  async function commitAll(items: ChangeItem[]): Promise<(SavedRow | undefined)[]> {
    const values = COLUMNS.map((valueOf) => items.map(valueOf))
    const saved = SavedRows.parse(await database.query(BATCH_STATEMENTS.commit, values))
    const byId = new Map(saved.map((row) => [row.id, row]))
    return items.map(({ id, record }) => {
      const row = byId.get(id)
      return row && record !== null ? { ...row, record } : row
    })
  }

  async function commitOne(item: ChangeItem): Promise<SavedRow> {
    const { at, historyEntry, events = [] } = item.change
    const values = CHANGE_COLUMNS.map((valueOf) => valueOf(item))
    const [saved] =
      events.length > 0
        ? await database.query(STATEMENTS.commitEvents, [
            ...values,
            at,
            historyEntry,
            events.map((event) => event.id),
            events.map(({ about = '' }) => about),
            events.map(({ type }) => type),
            events.map(({ body }) => body),
          ])
        : historyEntry
          ? await database.query(STATEMENTS.commitHistory, [...values, at, historyEntry])
          : await database.query(STATEMENTS.commit, values)
    return SavedRows.element.optional().parse(saved) ?? null
  }
}

const SavedRows = z.array(z.looseObject({ id: z.string() }))

/** The parameters of every statement that changes transactions, in their order. */
const CHANGE_COLUMNS: readonly ((item: ChangeItem) => unknown)[] = [
  ({ id }) => id,
  ({ version }) => version,
  ({ change }) => (isRenewal(change) ? 1 : 0),
  ({ record }) => record,
  ({ change }) => (isRenewal(change) ? change.at : null),
  ({ change }) => change.due_at !== undefined,
  ({ change }) => change.due_at,
  ({ change }) => change.outcome,
  ({ change }) => change.sent_at,
  ({ change }) => change.asked_at,
  ({ change }) => change.failures,
]
/** The parameters of the statement that changes several transactions. */
const COLUMNS: typeof CHANGE_COLUMNS = [
  ...CHANGE_COLUMNS,
  ({ change }) => change.at,
  ({ change }) => change.historyEntry || null,
  ({ kept }) => kept?.digest ?? '',
]

/** Returns whether the change increments the version of the transaction. */
function isRenewal({ record, sent_at }: Change): boolean {
  return record !== undefined || sent_at !== undefined
}
