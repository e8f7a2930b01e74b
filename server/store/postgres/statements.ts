/** The SQL of the Postgres store. Each statement is atomic and takes one round trip. */

import { FOR_A_PERSON } from '../../store.ts'
import { counted, eventColumns, readStatements, TRANSACTION } from '../reads.ts'

const ACCOUNT = 'account = $1'
/** SQL condition: the row is not a tombstone. Only tombstones have a digest. */
const KEPT = 'digest IS NULL'
/**
 * SQL condition: like `KEPT`, but Postgres cannot prove from it that an index of all kept rows contains the row. A
 * statement that was prepared while the table was empty would otherwise read such an index from its beginning to its end.
 */
const KEPT_ROW = `coalesce(digest, '') = ''`
const TRANSACTIONS = 'gateway_checkout.transactions'
const EVENTS = 'gateway_checkout.events'
const OUTBOX = 'gateway_checkout.outbox'
/**
 * SQL expression: the time from which a due row can be claimed. The indexes of due rows must contain exactly this
 * expression, because Postgres does not use them otherwise.
 */
const CLAIMABLE_AT = 'greatest(due_at, lease_until)'
/** SQL expression: the newest of the times by which a transaction is scheduled. */
const NEWEST = 'greatest(updated_at, asked_at, requested_at)'
const EVENT = eventColumns(TRANSACTIONS)

/**
 * Key of an advisory lock. Statements that add events hold this lock in shared mode until they commit. An event gets
 * its sequence number before its statement commits, so the event with the higher number may be committed first. A
 * reader that did not wait for this lock could read the event with the higher number, and then never read the other
 * event.
 */
const EVENTS_LOCK = 7_240_402

/**
 * SQL query: selects the next event to deliver of those with the same `about`, which names a part of a transaction: the
 * oldest unfinished event. An event is unfinished until it is delivered or given up.
 */
const nextEvent = (columns: string, { transactionId, about }: Record<'transactionId' | 'about', string>) => `
  SELECT ${columns} FROM ${EVENTS} one
  WHERE one.transaction_id = ${transactionId} AND one.about = ${about} AND finished_at IS NULL
  ORDER BY sequence LIMIT 1`

const INSERTED = `alike, account, id, kind, reference, "group", attempt, outcome, record,
  created_at, due_at, sent_at, trace_id`
const INSERT = `
  INSERT INTO ${TRANSACTIONS} (${INSERTED}, updated_at)
  SELECT ${INSERTED}, created_at
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[],
    $9::text[], $10::bigint[], $11::bigint[], $12::bigint[], $13::text[]) AS row (${INSERTED})`

/**
 * SQL statement: updates the transaction $1 if its version is $2, and adds its history entry. `more` contains further
 * subqueries. The subqueries take effect only if the transaction was updated.
 */
const commit = (more = '') => `
  WITH saved AS (
    UPDATE ${TRANSACTIONS} SET version = version + $3::integer, record = coalesce($4, record),
      updated_at = coalesce($5, updated_at), due_at = CASE WHEN $6::boolean THEN $7::bigint ELSE due_at END,
      outcome = coalesce($8, outcome), sent_at = coalesce($9, sent_at), asked_at = coalesce($10, asked_at),
      failures = coalesce($11, failures), requested_at = coalesce($14, requested_at), lease_until = 0,
      masked = masked AND $4::text IS NULL
    WHERE id = $1 AND version = $2 AND ${KEPT_ROW} RETURNING ${TRANSACTION}),
  entry AS (
    INSERT INTO gateway_checkout.history (transaction_id, at, what)
    SELECT id, $12::bigint, $13 FROM saved WHERE $13::text IS NOT NULL)${more}
  SELECT * FROM saved`
const ADD_EVENTS = `,
  added AS (
    INSERT INTO ${EVENTS} (id, transaction_id, account, about, type, body, created_at, due_at)
    SELECT event.id, saved.id, account, event.about, event.type, event.body, $12, $12
    FROM saved CROSS JOIN pg_advisory_xact_lock_shared(${EVENTS_LOCK}) CROSS JOIN
      unnest($15::text[], $16::text[], $17::text[], $18::text[]) WITH ORDINALITY AS event (id, about, type, body, number)
    ORDER BY number),
  woken AS (
    INSERT INTO ${OUTBOX} AS old (transaction_id, about, account, due_at)
    SELECT DISTINCT saved.id, event.about, account, $12::bigint FROM saved, unnest($16::text[]) AS event (about)
    ON CONFLICT (transaction_id, about) DO UPDATE SET due_at = excluded.due_at
      WHERE old.due_at IS NULL OR old.lease_until > 0)`

/** SQL subquery: selects and locks claimable rows of the table `queue`. Skips rows locked by another statement. */
const claimable = (queue: string, ids: string, condition = '', order = '') => `
  due AS MATERIALIZED (
    SELECT ${ids} FROM ${queue}
    WHERE ${ACCOUNT} ${condition} AND due_at IS NOT NULL AND ${CLAIMABLE_AT} <= $2
    ORDER BY ${CLAIMABLE_AT} ${order} LIMIT $4 FOR UPDATE SKIP LOCKED)`

/**
 * SQL condition: the transaction has no scheduled status query, needs no check by a person, and has not changed since
 * $1.
 */
const ENDED = (row: string) =>
  `${row}.due_at IS NULL AND ${row}.updated_at < $1 AND ${row}.outcome NOT IN ('${FOR_A_PERSON.join("', '")}')`

const nextDue = (queue: string, condition = '') => `
  SELECT (SELECT ${CLAIMABLE_AT} FROM ${queue}
    WHERE ${ACCOUNT} ${condition} AND due_at IS NOT NULL ORDER BY 1 LIMIT 1) AS due`

export const STATEMENTS = {
  ...readStatements({
    schema: 'gateway_checkout.',
    tombstones: TRANSACTIONS,
    kept: KEPT,
    keptRow: KEPT_ROW,
    unmasked: 'NOT masked',
    mentions:
      'SELECT 1 FROM json_array_elements_text($4::json) AS given (value) WHERE strpos(lower(record), value) > 0',
    indexedBy: () => '',
  }),
  /** Fails without inserting any row if a row violates a unique constraint. */
  insert: INSERT,
  // With "id = ANY ($1)", a statement that was prepared on an empty table would read the whole table.
  find: `
    SELECT found.* FROM unnest($1::text[]) AS wanted (wanted_id), LATERAL (
      SELECT ${TRANSACTION} FROM ${TRANSACTIONS} WHERE id = wanted_id AND ${KEPT_ROW} LIMIT 1) AS found`,
  versions: `SELECT id, version FROM ${TRANSACTIONS} WHERE id = ANY ($1) AND ${KEPT_ROW}`,
  commit: commit(),
  commitEvents: commit(ADD_EVENTS),

  claimTransactions: `
    WITH ${claimable(TRANSACTIONS, 'id AS due_id', `AND ${KEPT_ROW}`)}
    UPDATE ${TRANSACTIONS} SET lease_until = $3 FROM due
    WHERE id = due_id AND ${CLAIMABLE_AT} <= $2 RETURNING ${TRANSACTION}`,
  // A leased row becomes due again when its lease ends. An event that is committed during the lease sets an earlier due
  // time.
  claimEvents: `
    WITH ${claimable(OUTBOX, 'transaction_id AS due_id, about AS due_about', 'AND is_retry = $5', 'DESC')},
    leased AS (
      UPDATE ${OUTBOX} SET lease_until = $3, due_at = $3 FROM due
      WHERE transaction_id = due_id AND about = due_about AND ${CLAIMABLE_AT} <= $2
      RETURNING transaction_id AS leased, about AS leased_about)
    SELECT * FROM leased LEFT JOIN LATERAL (${nextEvent(EVENT, { transactionId: 'leased', about: 'leased_about' })}) event
      ON due_at <= $2`,
  // Ends a lease. If an event was committed during the lease, the row keeps its due time for the next claim. Otherwise,
  // the due time of the row becomes the due time of its next event.
  release: `
    UPDATE ${OUTBOX} o SET lease_until = 0, (due_at, is_retry) = (
      SELECT CASE WHEN o.due_at = $3 THEN next.due ELSE o.due_at END, coalesce(next.failures > 0, false)
      FROM (SELECT 1) AS always LEFT JOIN LATERAL (
        ${nextEvent('due_at AS due, failures', { transactionId: 'o.transaction_id', about: 'o.about' })}) next ON true)
    WHERE transaction_id = $1 AND about = $2 AND lease_until = $3
    RETURNING transaction_id AS id, due_at AS due`,
  finishEvent: `
    WITH finished AS (
      UPDATE ${EVENTS} SET finished_at = $2, finish = $3, last_status = $4, last_answer = $5
      WHERE id = $1 RETURNING transaction_id, about)
    SELECT transaction_id AS id, about, lease_until FROM finished JOIN ${OUTBOX} USING (transaction_id, about)`,
  retryEvent: `
    WITH failed AS (
      UPDATE ${EVENTS} SET failures = failures + 1, due_at = $2, last_status = $3, last_answer = $4
      WHERE id = $1 RETURNING transaction_id, about)
    SELECT transaction_id AS id, about, lease_until FROM failed JOIN ${OUTBOX} USING (transaction_id, about)`,
  hastenQueries: `
    UPDATE ${TRANSACTIONS} SET requested_at = $2, due_at = $2 WHERE id IN (
      SELECT id FROM ${TRANSACTIONS}
      WHERE ${ACCOUNT} AND ${KEPT_ROW} AND failures > 0 AND due_at > $2 AND lease_until <= $2 ORDER BY due_at LIMIT $3)
    RETURNING id`,
  bringForward: `
    UPDATE ${TRANSACTIONS} SET due_at = due_at - greatest(0, ${NEWEST} - $2::bigint),
      asked_at = CASE WHEN asked_at > $2 THEN $2 ELSE asked_at END,
      requested_at = CASE WHEN requested_at > $2 THEN $2 ELSE requested_at END, lease_until = least(lease_until, $3)
    WHERE ${ACCOUNT} AND ${KEPT_ROW} AND due_at IS NOT NULL AND (${NEWEST} > $2 OR lease_until > $3)`,
  // A leased row whose due time is the end of the lease keeps this mark: see `claimEvents` and `release`.
  hastenEvents: `
    WITH hastened AS (
      UPDATE ${OUTBOX} SET lease_until = least(lease_until, $5), due_at = CASE WHEN due_at = lease_until
        THEN $5 ELSE least(due_at, $2::bigint + floor(random() * $4::bigint)::bigint) END
      WHERE (transaction_id, about) IN (
        SELECT transaction_id, about FROM ${OUTBOX} o WHERE ${ACCOUNT} AND due_at IS NOT NULL
          AND ${CLAIMABLE_AT} > $3 AND (lease_until <= $2 OR lease_until > $5) AND EXISTS (
            SELECT 1 FROM ${EVENTS} e WHERE e.transaction_id = o.transaction_id AND e.about = o.about
              AND e.finished_at IS NULL AND ($6 = 0::bigint OR e.failures > 0 AND e.created_at >= $6)) LIMIT $7 FOR UPDATE SKIP LOCKED)
      RETURNING transaction_id AS hastened, about AS hastened_about, due_at AS hastened_to),
    events AS (
      UPDATE ${EVENTS} SET due_at = hastened_to FROM hastened
      WHERE transaction_id = hastened AND about = hastened_about AND finished_at IS NULL AND due_at > hastened_to)
    SELECT hastened FROM hastened`,
  /** Waits until all statements that are adding events have ended, then selects the newest sequence number. */
  newestEvent: `
    SET LOCAL lock_timeout = 2000;
    SELECT pg_advisory_xact_lock(${EVENTS_LOCK});
    SELECT coalesce(max(sequence), 0) AS newest FROM ${EVENTS}`,
  replayEvent: `
    WITH replayed AS (
      UPDATE ${EVENTS} SET finished_at = NULL, finish = NULL, failures = 0, due_at = $3
      WHERE ${ACCOUNT} AND id = $2 RETURNING transaction_id, about, account, due_at)
    INSERT INTO ${OUTBOX} AS old (transaction_id, about, account, due_at) SELECT * FROM replayed
    ON CONFLICT (transaction_id, about) DO UPDATE SET due_at = least(old.due_at, excluded.due_at), is_retry = false
    RETURNING transaction_id AS id`,
  nextTransactionDue: nextDue(TRANSACTIONS, `AND ${KEPT_ROW}`),
  nextEventDue: nextDue(OUTBOX, 'AND is_retry = $2'),
  countDueTransactions: counted(
    `${TRANSACTIONS} WHERE account = $2 AND due_at IS NOT NULL AND ${CLAIMABLE_AT} <= $3`,
  ),
  countDueEvents: counted(
    `${OUTBOX} WHERE account = $2 AND is_retry = $4 AND due_at IS NOT NULL AND ${CLAIMABLE_AT} <= $3`,
  ),
  prune: `
    WITH pruned AS (
      UPDATE ${TRANSACTIONS} t SET record = 'null', amount = given.amount, digest = given.digest
      FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[])
        AS given (account, kind, reference, amount, digest)
      WHERE t.account = given.account AND t.kind = given.kind AND t.reference = given.reference AND t.digest IS NULL
        AND ${ENDED('t')} AND NOT EXISTS (
          SELECT 1 FROM ${TRANSACTIONS} same
          WHERE same.account = t.account AND same.kind = t.kind AND same."group" = t."group" AND (NOT (${ENDED('same')})
            OR EXISTS (SELECT 1 FROM ${EVENTS} WHERE transaction_id = same.id AND finish IS DISTINCT FROM 'delivered')))
      RETURNING t.id),
    no_history AS (DELETE FROM gateway_checkout.history USING pruned WHERE transaction_id = pruned.id),
    no_events AS (DELETE FROM ${EVENTS} e USING pruned WHERE transaction_id = pruned.id),
    no_outbox AS (DELETE FROM ${OUTBOX} USING pruned WHERE transaction_id = pruned.id)
    SELECT id FROM pruned`,
  markMasked: `
    UPDATE ${TRANSACTIONS} SET masked = true WHERE id = $1 AND version = $2 AND ${KEPT} RETURNING id`,
  mask: `
    WITH saved AS (
      UPDATE ${TRANSACTIONS} SET record = $3, version = version + 1, masked = $4
      WHERE id = $1 AND version = $2 AND ${KEPT}
        AND NOT EXISTS (SELECT 1 FROM ${EVENTS} WHERE id = ANY ($7) AND finished_at IS NULL)
      RETURNING id),
    entries AS (
      UPDATE gateway_checkout.history h SET what = given.what
      FROM saved, unnest($5::text[], $6::text[]) AS given (was, what)
      WHERE h.transaction_id = saved.id AND h.what = given.was),
    events AS (
      UPDATE ${EVENTS} e SET about = given.about, body = given.body, last_answer = NULL
      FROM saved, unnest($7::text[], $8::text[], $9::text[]) AS given (id, about, body)
      WHERE e.id = given.id AND e.transaction_id = saved.id),
    no_outbox AS (DELETE FROM ${OUTBOX} USING saved WHERE transaction_id = saved.id AND due_at IS NULL)
    SELECT id FROM saved`,
  admit: `
    INSERT INTO gateway_checkout.merchants AS known (account, numbers) VALUES ($1, $2)
    ON CONFLICT (account) DO UPDATE SET numbers = CASE WHEN known.numbers && excluded.numbers
      THEN ARRAY(SELECT DISTINCT unnest(known.numbers || excluded.numbers)) ELSE excluded.numbers END
    WHERE $3 OR known.numbers && excluded.numbers`,
  notify: "SELECT pg_notify('gateway_checkout', $1)",
  /**
   * Writes a row to test whether the database server can write. A server that is read-only or has a full disk can still
   * run queries.
   */
  ping: 'UPDATE gateway_checkout.migrations SET version = version WHERE version = 1',
} as const

export type StatementName = keyof typeof STATEMENTS
