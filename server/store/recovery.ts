/**
 * The rules for recovering a store that was restored from a backup. SQLite and Postgres use the same rules.
 *
 * A recovery marks each unsent transaction as sent, because its request may have been sent after the backup. The server
 * therefore queries the gateway about such a transaction before it sends the request. If the gateway does not know the
 * transaction, the server sends the request only if the gateway refuses duplicate requests for transactions of the same
 * kind.
 */

/**
 * A recovery schedules an immediate status query for each transaction whose next query is due within this time (in
 * milliseconds). All unsettled transactions have a query due within this time. Additional queries for settled
 * transactions are harmless.
 */
export const WITHIN_MS = 24 * 3_600_000

/**
 * The amounts by which a recovery increases row versions and event sequence numbers. Clients may already know higher
 * values than the backup contains.
 */
export const AHEAD = { versions: 1_000, events: 1_000_000 }
