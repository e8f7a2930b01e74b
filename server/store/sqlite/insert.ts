import type { NewTransaction, Transaction } from '../../store.ts'
import type { RowCache } from './row-cache.ts'
import type { Statement } from './statements.ts'

/**
 * Inserts a row, unless its reference or attempt number is already used. Also adds an inserted row to the cache `rows`.
 * Returns whether the row was inserted.
 */
export function insertRow(insert: Statement, row: NewTransaction, rows: RowCache | null): boolean {
  const values = valuesOf(row)
  if (insert.run(values).changes !== 1) return false
  rows?.set(insertedRow(row), values.record.length)
  return true
}

function insertedRow(row: NewTransaction): Transaction {
  return { version: 1, updated_at: row.created_at, asked_at: null, failures: 0, ...row }
}

/**
 * Returns the values to insert. All fields are listed, because V8 is slower with an object that begins with a spread.
 */
function valuesOf(row: NewTransaction) {
  const { account } = row
  return {
    id: row.id,
    kind: row.kind,
    environment: account.environment,
    base_url: account.base_url,
    account_number: account.account_number,
    reference: row.reference,
    group: row.group,
    attempt: row.attempt,
    outcome: row.outcome,
    record: JSON.stringify(row.record),
    created_at: row.created_at,
    due_at: row.due_at,
    sent_at: row.sent_at,
    trace_id: row.trace_id,
  }
}
