/** The SQL statements of the SQLite store. Each statement is prepared once. */

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { FOR_A_PERSON, StoreAwayError, StoreError } from '../../store.ts'
import type { Value } from '../reads.ts'
import { counted, eventColumns, readStatements } from '../reads.ts'
import { isTransient } from './database.ts'

const ACCOUNT = 'account = :account'
/**
 * SQL clauses: select the next event to deliver of those with the same `:about`, which names a part of the transaction
 * `:id`: the oldest unfinished event. An event is unfinished until it is delivered or given up.
 */
const HEAD = `
  FROM events head WHERE head.transaction_id = :id AND head.about = :about AND head.finished_at IS NULL
  ORDER BY head.sequence LIMIT 1`
/** SQL expression: the newest of the times by which a transaction is scheduled. */
const NEWEST = 'max(updated_at, coalesce(asked_at, 0), coalesce(requested_at, 0))'
/** SQL condition: the transaction belongs to the given group. */
const GROUP = `${ACCOUNT} AND kind = :kind AND "group" = :group`
const STATEMENTS = {
  ...readStatements({
    schema: '',
    tombstones: 'tombstones',
    kept: 'true',
    keptRow: 'true',
    unmasked: 'masked = 0',
    mentions: 'SELECT 1 FROM json_each($4) WHERE instr(lower(record), value) > 0',
    indexedBy: (index) => `INDEXED BY ${index}`,
  }),
  insert: `
    INSERT INTO transactions
      (id, kind, account, reference, "group", alike, attempt, outcome, record, created_at, updated_at, due_at, sent_at, trace_id)
    SELECT
      :id, :kind, :account, :reference, :group, :alike, :attempt, :outcome, :record, :created_at, :created_at, :due_at, :sent_at, :trace_id
    WHERE NOT EXISTS (SELECT 1 FROM tombstones WHERE ${ACCOUNT} AND kind = :kind AND reference = :reference)
      AND NOT EXISTS (SELECT 1 FROM tombstones WHERE ${GROUP} AND attempt = :attempt)
    ON CONFLICT DO NOTHING`,
  find: 'SELECT *, length(record) AS characters FROM transactions WHERE id = :id',
  update: `
    UPDATE transactions SET version = :version, outcome = :outcome, record = coalesce(:record, record), updated_at = :updated_at, due_at = :due_at,
      sent_at = :sent_at, asked_at = :asked_at, requested_at = :requested_at, failures = :failures, lease_until = 0,
      masked = CASE WHEN :record IS NULL THEN masked ELSE 0 END
    WHERE id = :id AND version = :was`,
  addHistory: 'INSERT INTO history (transaction_id, at, what) VALUES (:id, :at, :what)',
  addEvent: `
    INSERT INTO events (id, transaction_id, account, about, type, body, created_at, due_at)
    VALUES (:id, :transaction_id, :account, :about, :type, :body, :at, :at)`,
  dueTransactions: `
    SELECT id FROM transactions
    WHERE ${ACCOUNT} AND due_at <= :now AND lease_until <= :now ORDER BY due_at LIMIT :limit`,
  lease: 'UPDATE transactions SET lease_until = :leaseUntil WHERE id = :id',
  hastenQueries: `
    UPDATE transactions SET requested_at = :now, due_at = :now WHERE id IN (
      SELECT id FROM transactions INDEXED BY transactions_failed
      WHERE ${ACCOUNT} AND failures > 0 AND due_at > :now AND lease_until <= :now ORDER BY due_at LIMIT :limit)`,
  bringForward: `
    UPDATE transactions SET due_at = due_at - max(0, ${NEWEST} - :now), asked_at = min(asked_at, :now),
      requested_at = min(requested_at, :now), lease_until = min(lease_until, :leaseUntil)
    WHERE rowid IN (
      SELECT rowid FROM transactions WHERE ${ACCOUNT} AND due_at IS NOT NULL AND ${NEWEST} > :now
      UNION ALL SELECT rowid FROM transactions WHERE ${ACCOUNT} AND lease_until > 0 AND lease_until > :leaseUntil)`,
  hasDueEvents: `SELECT 1 FROM outbox WHERE ${ACCOUNT} AND is_retry = :isRetry AND due_at <= :now LIMIT 1`,
  claimOutbox: `
    UPDATE outbox SET due_at = :leaseUntil, lease_until = :leaseUntil WHERE (transaction_id, about) IN (
      SELECT transaction_id, about FROM outbox
      WHERE ${ACCOUNT} AND is_retry = :isRetry AND due_at <= :now ORDER BY due_at DESC LIMIT :limit)
    RETURNING transaction_id AS id, about`,
  nextEvent: `SELECT ${eventColumns('transactions')} ${HEAD}`,
  addToOutbox: `
    INSERT INTO outbox (transaction_id, about, account, due_at) VALUES (:id, :about, :account, :at)
    ON CONFLICT DO NOTHING`,
  removeFromOutbox: `
    DELETE FROM outbox WHERE transaction_id = :id AND about = :about AND NOT EXISTS (SELECT 1 ${HEAD})`,
  releaseOutbox: `
    UPDATE outbox SET lease_until = 0, (due_at, is_retry) = (SELECT head.due_at, head.failures > 0 ${HEAD})
    WHERE transaction_id = :id AND about = :about RETURNING due_at AS due`,
  // Leased rows are due when their lease ends.
  hastenOutbox: `
    UPDATE outbox SET lease_until = min(lease_until, :now + :leaseMs),
      due_at = CASE WHEN lease_until > :now THEN :now + :leaseMs ELSE :now + abs(random() % :spreadMs) END
    WHERE (transaction_id, about) IN (
      SELECT transaction_id, about FROM outbox WHERE ${ACCOUNT} AND is_retry IN (0, 1) AND due_at > :now + :beyondMs
        AND (lease_until <= :now OR lease_until > :now + :leaseMs) AND EXISTS (
          SELECT 1 FROM events e WHERE e.transaction_id = outbox.transaction_id AND e.about = outbox.about
            AND e.finished_at IS NULL AND (:createdSince = 0 OR e.failures > 0 AND e.created_at >= :createdSince))
      LIMIT :limit)
    RETURNING transaction_id AS id, about, due_at AS due`,
  hastenEvents: `
    UPDATE events SET due_at = min(due_at, :due)
    WHERE transaction_id = :id AND about = :about AND finished_at IS NULL`,
  listDueEvents: 'SELECT transaction_id AS id, due_at AS due FROM outbox WHERE due_at <= :now LIMIT :limit',
  replayEvent: `
    UPDATE events SET finished_at = NULL, finish = NULL, failures = 0, due_at = :at WHERE id = :id AND ${ACCOUNT}
    RETURNING transaction_id AS id, about`,
  retryEvent: `
    UPDATE events SET failures = failures + 1, due_at = :at, last_status = :status, last_answer = :text
    WHERE id = :id RETURNING transaction_id AS id, about`,
  finishEvent: `
    UPDATE events SET finished_at = :at, finish = :finish, last_status = :status, last_answer = :text
    WHERE id = :id RETURNING transaction_id AS id, about`,
  // Most rows are due weeks from now. Each half of this query therefore reads only the first entry of an index.
  nextTransactionDue: `
    SELECT min(due) AS due FROM (
      SELECT * FROM (SELECT due_at AS due FROM transactions
        WHERE account = $1 AND due_at IS NOT NULL AND lease_until <= due_at ORDER BY due_at LIMIT 1)
      UNION ALL
      SELECT min(lease_until) FROM transactions
        WHERE account = $1 AND due_at IS NOT NULL AND lease_until > 0 AND lease_until > due_at)`,
  nextEventDue: 'SELECT min(due_at) AS due FROM outbox WHERE account = $1 AND is_retry = $2',
  findPrunable: `
    SELECT id FROM transactions WHERE ${ACCOUNT} AND kind = :kind AND reference = :reference AND NOT EXISTS (
      SELECT 1 FROM transactions same WHERE ${GROUP} AND (due_at IS NOT NULL OR updated_at >= :before
        OR outcome IN ('${FOR_A_PERSON.join("', '")}')
        OR EXISTS (SELECT 1 FROM events WHERE transaction_id = same.id AND finish IS NOT 'delivered')))`,
  deleteHistory: 'DELETE FROM history WHERE transaction_id = :id',
  deleteEvents: 'DELETE FROM events WHERE transaction_id = :id',
  deleteTransaction: 'DELETE FROM transactions WHERE id = :id',
  addTombstone: `
    INSERT INTO tombstones (account, kind, reference, "group", attempt, outcome, amount, digest)
    VALUES (:account, :kind, :reference, :group, :attempt, :outcome, :amount, :digest)`,
  isUnfinished: 'SELECT 1 FROM events WHERE id = :id AND finished_at IS NULL',
  maskHistory: 'UPDATE history SET what = :what WHERE transaction_id = :id AND what = :was',
  maskEvent: 'UPDATE events SET about = :about, body = :body, last_answer = NULL WHERE id = :id',
  markMasked: 'UPDATE transactions SET masked = 1 WHERE id = :id',
  truncateLog: 'PRAGMA wal_checkpoint(TRUNCATE)',
  saveMerchant: 'INSERT OR REPLACE INTO merchants VALUES (:account, :numbers)',
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  save: 'SAVEPOINT work',
  undo: 'ROLLBACK TO work',
  dataVersion: 'PRAGMA data_version',
  ping: 'UPDATE readiness SET writes = writes + 1',
  countDueTransactions: counted('transactions WHERE account = $2 AND due_at <= $3'),
  countDueEvents: counted('outbox WHERE account = $2 AND due_at <= $3 AND is_retry = $4'),
} as const

type Values = Record<string, string | number | null>

/** Returns the values by the names of their parameters: `$1`, `$2` and so on. */
export function positional(values: Value[]): Values {
  const plain = values.map((value) => (typeof value === 'boolean' ? Number(value) : value))
  return Object.fromEntries(plain.map((value, index) => [index + 1, value]))
}

export interface Statement {
  get(values: Values): unknown
  all(values: Values): unknown[]
  run(values: Values): { changes: number | bigint }
}

export type Statements = Record<keyof typeof STATEMENTS, Statement>

/** @param failed Called with each error of the driver. */
export function prepareStatements(
  database: DatabaseSyncInstance,
  failed: (cause: unknown) => void,
): Statements {
  const prepare = (sql: string): Statement => {
    const statement = database.prepare(sql)
    return {
      get: (values) => wrapStoreError(() => statement.get(values), failed),
      all: (values) => wrapStoreError(() => statement.all(values), failed),
      run: (values) => wrapStoreError(() => statement.run(values), failed),
    }
  }
  return mapValues(STATEMENTS, prepare)
}

/** Runs `work`. Passes an error of the driver to `failed`, and throws a {@link StoreError} instead. */
function wrapStoreError<T>(work: () => T, failed: (cause: unknown) => void): T {
  try {
    return work()
  } catch (cause) {
    failed(cause)
    const StoreFailure = isTransient(cause) ? StoreAwayError : StoreError
    throw new StoreFailure('The store cannot be used', { cause })
  }
}

function mapValues<Key extends string, Value, Result>(
  values: Readonly<Record<Key, Value>>,
  map: (value: Value) => Result,
): Record<Key, Result> {
  const result: Partial<Record<Key, Result>> = {}
  for (const key in values) result[key] = map(values[key])
  return result as Record<Key, Result> // every key of `values` was set above
}
