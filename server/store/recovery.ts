/**
 * The rules of a recovery, for every engine. Whatever was never sent counts as sent, since it may have been sent after
 * the backup: the submission policy then asks about it, resends only what the gateway deduplicates, and leaves the rest
 * to a person.
 */

/**
 * A transaction that is not settled is queried at least once a day: a row that is due later is settled. A settled row
 * that is queried earlier does no harm.
 */
export const WITHIN_MS = 24 * 3_600_000

/** Pages and readers of the event list may have met versions and sequence numbers that the store no longer has. */
export const AHEAD = { versions: 1_000, events: 1_000_000 }
