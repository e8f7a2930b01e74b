/** The SQL statements of the SQLite store. Each is prepared once. */

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { StoreError } from '../../store.ts'

const ACCOUNT = 'environment = :environment AND base_url = :base_url AND account_number = :account_number'
/**
 * Selects one deliverable event per transaction. Events keep their order per `about` (for example per airtime
 * recipient); of the first event of each `about`, the earliest due event is selected. A failed event therefore blocks
 * only later events with the same `about`. A transaction may have thousands of events, so the query walks the indexes
 * from transaction to transaction instead of reading all waiting events.
 */
const nextEvents = (columns: string) => `
  WITH RECURSIVE waiting(id) AS (
    SELECT min(transaction_id) FROM events WHERE finished_at IS NULL
    UNION ALL
    SELECT (SELECT min(transaction_id) FROM events WHERE finished_at IS NULL AND transaction_id > waiting.id)
    FROM waiting WHERE waiting.id IS NOT NULL)
  SELECT ${columns} FROM waiting
    JOIN transactions t ON t.id = waiting.id
    LEFT JOIN pauses p ON p.transaction_id = waiting.id
    JOIN events e ON e.sequence = (
      SELECT sequence FROM events one WHERE finished_at IS NULL AND transaction_id = waiting.id AND NOT EXISTS (
        SELECT 1 FROM events before WHERE before.finished_at IS NULL AND before.transaction_id = one.transaction_id
          AND before.about = one.about AND before.sequence < one.sequence)
      ORDER BY due_at, sequence LIMIT 1)
  WHERE ${ACCOUNT}`
const EVENT = 'sequence, id, transaction_id, type, body, created_at, failures, finish'

const STATEMENTS = {
  insert: `
    INSERT INTO transactions
      (id, kind, environment, base_url, account_number, reference, "group", attempt, outcome, record, created_at, updated_at, due_at)
    VALUES
      (:id, :kind, :environment, :base_url, :account_number, :reference, :group, :attempt, :outcome, :record, :created_at, :created_at, :due_at)
    ON CONFLICT DO NOTHING`,
  find: 'SELECT * FROM transactions WHERE id = :id',
  findByReference: `SELECT * FROM transactions WHERE ${ACCOUNT} AND kind = :kind AND reference = :reference`,
  list: `SELECT * FROM transactions WHERE ${ACCOUNT} AND kind = :kind AND "group" = :group ORDER BY attempt`,
  update: `
    UPDATE transactions SET version = :version, outcome = :outcome, record = coalesce(:record, record), updated_at = :updated_at, due_at = :due_at,
      sent_at = :sent_at, asked_at = :asked_at, failures = :failures, lease_until = 0
    WHERE id = :id`,
  search: `
    SELECT * FROM transactions WHERE ${ACCOUNT} AND kind = :kind AND (:outcome IS NULL OR outcome = :outcome)
      AND updated_at >= :updatedSince AND (updated_at, id) > (:updated_at, :id)
    ORDER BY updated_at, id LIMIT :limit`,
  countWaitingElsewhere: `SELECT count(*) AS waiting FROM transactions WHERE due_at IS NOT NULL AND NOT (${ACCOUNT})`,
  history: 'SELECT at, what FROM history WHERE transaction_id = :id ORDER BY rowid',
  addHistory: 'INSERT INTO history (transaction_id, at, what) VALUES (:id, :at, :what)',
  addEvent: `
    INSERT INTO events (id, transaction_id, about, type, body, created_at, due_at)
    VALUES (:id, :transaction_id, :about, :type, :body, :at, :at)`,
  claimTransactions: `
    UPDATE transactions SET lease_until = :leaseUntil WHERE id IN (
      SELECT id FROM transactions
      WHERE ${ACCOUNT} AND due_at <= :now AND lease_until <= :now ORDER BY due_at LIMIT :limit)
    RETURNING *`,
  claimEvents: `
    UPDATE events SET lease_until = :leaseUntil WHERE sequence IN (
      ${nextEvents('e.sequence')} AND e.due_at <= :now AND e.lease_until <= :now AND coalesce(p.until, 0) <= :now
      ORDER BY e.due_at LIMIT :limit)
    RETURNING ${EVENT}`,
  listEvents: `
    SELECT ${EVENT.replaceAll(/(\w+)/g, 'e.$1')} FROM events e JOIN transactions t ON t.id = e.transaction_id
    WHERE ${ACCOUNT} AND e.sequence > :after ORDER BY e.sequence LIMIT :limit`,
  replayEvent: `
    UPDATE events SET finished_at = NULL, finish = NULL, failures = 0, due_at = :at WHERE id = :id
      AND transaction_id IN (SELECT id FROM transactions WHERE ${ACCOUNT})
    RETURNING transaction_id`,
  retryEvent: 'UPDATE events SET failures = failures + 1, due_at = :at, lease_until = 0 WHERE id = :id',
  pause: `
    INSERT INTO pauses (transaction_id, until) SELECT transaction_id, :until FROM events WHERE id = :id
    ON CONFLICT DO UPDATE SET until = excluded.until`,
  endPause: 'DELETE FROM pauses WHERE transaction_id = (SELECT transaction_id FROM events WHERE id = :id)',
  finishEvent: 'UPDATE events SET finished_at = :at, finish = :finish, lease_until = 0 WHERE id = :id',
  // Most rows are due weeks from now: each half of the query reads only the first entry of its index.
  nextTransactionDue: `
    SELECT min(due) AS due FROM (
      SELECT * FROM (SELECT due_at AS due FROM transactions
        WHERE ${ACCOUNT} AND due_at IS NOT NULL AND lease_until <= due_at ORDER BY due_at LIMIT 1)
      UNION ALL
      SELECT min(lease_until) FROM transactions
        WHERE ${ACCOUNT} AND due_at IS NOT NULL AND lease_until > 0 AND lease_until > due_at)`,
  nextEventDue: `
    SELECT min(due) AS due FROM (${nextEvents('max(e.due_at, e.lease_until, coalesce(p.until, 0)) AS due')})`,
  ping: 'SELECT 1',
} as const

type Values = Record<string, string | number | null>

export interface Statement {
  get(values: Values): unknown
  all(values: Values): unknown
  run(values: Values): { changes: number | bigint }
}

export function prepareStatements(
  database: DatabaseSyncInstance,
): Record<keyof typeof STATEMENTS, Statement> {
  const prepare = (sql: string): Statement => {
    const statement = database.prepare(sql)
    return {
      get: (values) => wrapStoreError(() => statement.get(values)),
      all: (values) => wrapStoreError(() => statement.all(values)),
      run: (values) => wrapStoreError(() => statement.run(values)),
    }
  }
  return mapValues(STATEMENTS, prepare)
}

/** Converts any error of the driver to a {@link StoreError}. */
export function wrapStoreError<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new StoreError('The store cannot be used.', { cause })
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
