/** Stores, finds and changes transactions. Decides in SQL whether a row still has the revision that a change is for. */

import { z } from 'zod'

import { referenceKey } from '../../contract/comparison-keys.ts'
import { parseJson } from '../../contract/parse.ts'
import { PromptLimitError } from '../../rate-limits/prompts.ts'
import { CountedElsewhereError } from '../errors.ts'
import { HistoryEntry, Transaction } from '../transactions.ts'
import { addEvents } from './events.ts'
import { CHANGED, cursorOf, KEPT, KEPT_ROW, KIND, TRANSACTION } from './fragments.ts'
import { countPayments, putMovements } from './movements.ts'
import { addNotices } from './notices.ts'
import { addPrompt } from './prompts.ts'

import type { Dialect } from '../dialect.ts'
import type { Statement, Work } from '../driver.ts'
import type { CountedElsewhere } from '../errors.ts'
import type { Change, NewTransaction, TransactionStore } from '../transactions.ts'
import type { DatabaseStatements } from './database.ts'
import type { Deps } from './deps.ts'
import type { EventStatements } from './events.ts'
import type { MovementStatements } from './movements.ts'
import type { NoticeStatements } from './notices.ts'
import type { PromptStatements } from './prompts.ts'

type TransactionStatements = ReturnType<typeof transactionStatements>
/** A commit writes events, notices and movements, too, and a new transaction may have a prompt. */
type Statements = TransactionStatements &
  EventStatements &
  NoticeStatements &
  MovementStatements &
  PromptStatements &
  DatabaseStatements

export function transactionStatements({ schema, indexedBy }: Dialect) {
  const select = `SELECT ${TRANSACTION} FROM ${schema}transactions`
  const outcomes = indexedBy('transactions_outcome')
  const search = `${KIND} AND ${KEPT} AND updated_at >= $3 AND (updated_at, id) > ($4, $5)`
  const page = 'ORDER BY updated_at, id LIMIT $6'
  return {
    insert: `
      INSERT INTO ${schema}transactions (id, kind, account, reference, reference_key, "group", group_key, attempt,
        outcome, record, created_at, updated_at, due_at, sent_at, trace_id, personal)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14, $15) ON CONFLICT DO NOTHING RETURNING id`,
    find: `${select} WHERE id = $1 AND ${KEPT_ROW}`,
    findByReference: `${select} WHERE ${KIND} AND reference_key = $3 AND ${KEPT_ROW}`,
    list: `${select} WHERE ${KIND} AND group_key = $3 AND ${KEPT_ROW} ORDER BY attempt`,
    search: `${select} WHERE ${search} ${page}`,
    searchOutcome: `${select} ${outcomes} WHERE ${search} AND outcome = $7 ${page}`,
    // $3, 0 or 1, is added to the version, and $18 to the history. The value after each of $6, $9, $13 and $16 may be
    // NULL: it is stored if that parameter is 1. Other values that are NULL are not stored.
    commit: `
      UPDATE ${schema}transactions SET ${CHANGED}, version = version + $3, record = coalesce($4, record),
        updated_at = coalesce($5, updated_at), due_at = CASE WHEN $6 = 1 THEN $7 ELSE due_at END,
        outcome = coalesce($8, outcome), sent_at = CASE WHEN $9 = 1 THEN $10 ELSE sent_at END,
        asked_at = coalesce($11, asked_at), requested_at = coalesce($12, requested_at),
        failures = coalesce($15, failures), lease_until = 0,
        requested_revision = CASE WHEN $13 = 1 THEN $14 ELSE requested_revision END,
        personal = CASE WHEN $16 = 1 THEN $17 ELSE personal END, history = history || $18
      WHERE id = $1 AND revision = $2 AND ${KEPT_ROW} RETURNING ${TRANSACTION}`,
    history: `SELECT history FROM ${schema}transactions WHERE id = $1`,
  }
}

/** Each line of a history is an entry. */
const HistoryRow = z.object({
  history: z
    .string()
    .transform((lines) => lines.split('\n').filter(Boolean).map(parseJson))
    .pipe(z.array(HistoryEntry)),
})

export function createTransactions({
  driver,
  sql,
  ask,
  askOne,
  rows,
  announce,
}: Deps<Statements>): TransactionStore {
  return {
    async insert(...transactions) {
      await driver.expectUsable('insert')
      const [first, ...others] = transactions
      const isAlone = first !== undefined && others.length === 0 && !first.prompt
      // One statement is atomic, and takes less time than a transaction.
      const result = isAlone
        ? insertResult(await driver.query(...insertOf(sql, first)))
        : await driver.transaction(() => insertAll(sql, transactions))
      if (result === 'limited') {
        throw new PromptLimitError()
      }
      if (result === 'exists') {
        return false
      }

      for (const transaction of transactions) {
        rows.keepNew(transaction)
        announce({ id: transaction.id, due_at: transaction.due_at, event_due_at: null })
      }

      return true
    },

    async countPrompt(transaction) {
      if (!transaction.prompt) {
        return
      }

      const isAdmitted = await driver.transaction(() => addPrompt(sql, transaction))
      if (!isAdmitted) {
        throw new PromptLimitError()
      }
    },

    find: rows.find,
    findByReference: (account, kind, reference) =>
      askOne(Transaction, sql.findByReference, account, kind, referenceKey(reference)),
    list: (account, kind, group) => ask(Transaction, sql.list, account, kind, referenceKey(group)),

    search(account, kind, { outcome, updatedSince = 0, after, limit }) {
      const page = [account, kind, updatedSince, ...cursorOf(after), limit] as const
      return outcome === undefined
        ? ask(Transaction, sql.search, ...page)
        : ask(Transaction, sql.searchOutcome, ...page, outcome)
    },

    async commit(id, revision, change) {
      const { at, events = [], notices = [], movements } = change
      const update = updateOf(sql, id, revision, change)
      const isAlone = events.length === 0 && notices.length === 0 && !movements
      // No step may lie between the commit and its row (`kept-rows.ts`).
      const { rows: changed, elsewhere } = isAlone
        ? committed(await driver.query(...update))
        : await driver.transaction(() => commit(sql, update, id, change))
      if (elsewhere.size > 0) {
        throw new CountedElsewhereError(elsewhere)
      }

      const [saved] = changed
      if (saved === undefined) {
        // Whoever tries again reads the row as it is stored.
        rows.forget(id)
        return null
      }

      const transaction = rows.keep(saved)
      announce({ id, due_at: transaction.due_at, event_due_at: events.length > 0 ? at : null })
      return transaction
    },

    async history(id) {
      const found = await askOne(HistoryRow, sql.history, id)
      return found?.history ?? []
    },
  }
}

function insertOf(sql: TransactionStatements, transaction: NewTransaction): Statement {
  const { id, kind, account, reference, group, attempt, outcome } = transaction
  const { record, created_at, due_at, sent_at, trace_id, personal } = transaction
  return [
    sql.insert,
    id,
    kind,
    account,
    reference,
    referenceKey(reference),
    group,
    referenceKey(group),
    attempt,
    outcome,
    JSON.stringify(record),
    created_at,
    due_at,
    sent_at,
    trace_id,
    personal,
  ]
}

/** `exists`: a reference or an attempt is taken. `limited`: a prompt exceeds a limit. */
type InsertResult = 'inserted' | 'exists' | 'limited'

function insertResult(rows: unknown[]): InsertResult {
  return rows.length > 0 ? 'inserted' : 'exists'
}

function* insertAll(sql: Statements, transactions: readonly NewTransaction[]): Work<InsertResult> {
  for (const transaction of transactions) {
    const isAdmitted = yield* addPrompt(sql, transaction)
    const result = isAdmitted ? insertResult(yield insertOf(sql, transaction)) : 'limited'
    if (result !== 'inserted') {
      yield [sql.undo]
      return result
    }
  }

  return 'inserted'
}

/** Returns the statement that changes the row. Columns that are absent in the change keep their values. */
function updateOf(sql: TransactionStatements, id: string, revision: number, change: Change): Statement {
  const { at, record, isUnseen, outcome, due_at, sent_at, asked_at, requested_at } = change
  const { requested_revision, failures, personal, historyEntry } = change
  const json = record === undefined ? null : JSON.stringify(record)
  // A new record or a new time of sending makes a new version, if clients see anything of it.
  const isNewVersion = (json !== null || sent_at !== undefined) && isUnseen !== true
  return [
    sql.commit,
    id,
    revision,
    isNewVersion ? 1 : 0,
    json,
    isNewVersion ? at : null,
    isGiven(due_at),
    due_at,
    outcome,
    isGiven(sent_at),
    sent_at,
    asked_at,
    requested_at,
    isGiven(requested_revision),
    requested_revision,
    failures,
    isGiven(personal),
    personal,
    historyEntry ? lineOf({ at, what: historyEntry }) : '',
  ]
}

/** Returns whether a column changes that may become NULL, as the number that the statement compares. */
function isGiven(value: unknown): 0 | 1 {
  return value === undefined ? 0 : 1
}

function lineOf(entry: HistoryEntry): string {
  return `${JSON.stringify(entry)}\n`
}

/** What a commit has changed: one row or none. `elsewhere` are the payments because of which it was undone. */
interface Committed {
  rows: unknown[]
  elsewhere: CountedElsewhere
}

function committed(rows: unknown[]): Committed {
  return { rows, elsewhere: new Map() }
}

function* commit(sql: Statements, update: Statement, id: string, change: Change): Work<Committed> {
  const { at, events = [], notices = [], movements, open_since = 0 } = change
  const saved = yield update
  if (saved.length === 0) {
    return committed(saved)
  }

  yield* addEvents(sql, id, events, at)
  yield* addNotices(sql, id, notices, at)
  if (movements) {
    const elsewhere = yield* countPayments(sql, id, movements)
    if (elsewhere.size > 0) {
      yield [sql.undo]
      return { rows: [], elsewhere }
    }

    yield* putMovements(sql, id, movements, at, open_since)
  }

  return committed(saved)
}
