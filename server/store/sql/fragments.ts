/** The parts of SQL that statements about several things share. `$1`, `$2` and so on are the parameters. */

import type { Dialect } from '../dialect.ts'
import type { RowCursor } from '../transactions.ts'

/**
 * The columns of a transaction. They are named because a prepared statement with `*` fails after a migration has added
 * a column.
 */
export const TRANSACTION = `id, kind, account, reference, "group", attempt, version, revision, outcome, record,
  created_at, updated_at, due_at, sent_at, recovered_at, asked_at, requested_at, requested_revision, failures, trace_id,
  personal`
/** Every change of a row raises its revision. */
export const CHANGED = 'revision = revision + 1'
/** Requests a query: a query of the gateway that begins with the changed row, or a later one, serves the request. */
export const REQUESTED = `${CHANGED}, requested_revision = revision + 1`
export const ACCOUNT = 'account = $1'
export const KIND = `${ACCOUNT} AND kind = $2`
/** Condition: the row is not a tombstone. Only tombstones have a digest. */
export const KEPT = 'digest IS NULL'
/**
 * Condition: like `KEPT`, but hidden from the planner of Postgres. Postgres plans a prepared statement once, and if the
 * table was empty then, it would read the whole index of all kept rows.
 */
export const KEPT_ROW = `coalesce(digest, '') = ''`

/** Expression: the time from which a due transaction can be claimed. */
export const claimableAt = ({ greatest }: Dialect) => `${greatest}(due_at, lease_until)`
/** Expression: the newest of the times by which a transaction is scheduled. */
export const newestOf = ({ greatest }: Dialect) =>
  `${greatest}(updated_at, coalesce(asked_at, 0), coalesce(requested_at, 0))`
/** Expression: the newest of these times and of the lease. */
export const aheadOf = (dialect: Dialect) => `${dialect.greatest}(${newestOf(dialect)}, lease_until)`

/** Query: counts at most $1 rows, so that counting a large table does not delay other requests. */
export const counted = (rows: string) =>
  `SELECT count(*) AS count FROM (SELECT 1 FROM ${rows} LIMIT $1) AS counted`

/** Returns the values after which a list continues. Without a cursor, every row follows them. */
export function cursorOf(after: RowCursor | null | undefined): [updated_at: number, id: string] {
  return after ? [after.updated_at, after.id] : [-1, '']
}
