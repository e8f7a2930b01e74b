/**
 * The rules for recovering a store that was restored from a backup. SQLite and Postgres use the same rules.
 *
 * A recovery marks each unsent transaction as sent, because its request may have been sent after the backup. The
 * server therefore queries the gateway about these transactions before it sends their requests. If the gateway does not
 * know a transaction, its request is sent only if the gateway refuses duplicate requests of this kind.
 */

/**
 * A recovery schedules an immediate status query for each transaction whose next query is due within this time, in
 * milliseconds. All unsettled transactions have a query due within this time. Additional queries for settled
 * transactions are harmless.
 */
export const WITHIN_MS = 24 * 3_600_000

/**
 * The amounts by which a recovery increases row versions and event sequence numbers. Clients may already know higher
 * values than the backup contains.
 */
export const AHEAD = { versions: 1_000, events: 1_000_000 }
