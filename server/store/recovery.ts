/**
 * The rules for recovering a restored store, in SQLite and Postgres.
 *
 * A transaction that the backup holds as unsent is marked as sent, since it may have been sent after the backup. The
 * submission policy then queries the gateway, and resends only what the gateway deduplicates.
 */

/**
 * The longest time until the next query of an unsettled transaction, in milliseconds. Settled rows within this time are
 * queried too, which is harmless.
 */
export const WITHIN_MS = 24 * 3_600_000

/**
 * A recovery increases versions and event sequence numbers by these amounts: readers may know higher values than the
 * backup holds.
 */
export const AHEAD = { versions: 1_000, events: 1_000_000 }
