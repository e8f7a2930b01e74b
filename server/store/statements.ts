/**
 * The SQL statements of the store, written once for both databases: a `Dialect` has what differs. `$1`, `$2` and so on
 * are the parameters. The tests check that claims and look-ups find their rows by an index.
 */

import { PRESS_LIFETIME_MS, PRESS_LIMITS } from '../rate-limits/presses.ts'
import { LONGEST_WINDOW_MS, PROMPT_LIMITS } from '../rate-limits/prompts.ts'
import { FOR_A_PERSON } from './store.ts'

import type { Dialect } from './driver.ts'
import type { RowCursor } from './store.ts'

/**
 * The columns of a transaction. They are named because a prepared statement with `*` fails after a migration has added
 * a column.
 */
const TRANSACTION = `id, kind, account, reference, "group", attempt, version, revision, outcome, record,
  created_at, updated_at, due_at, sent_at, recovered_at, asked_at, requested_at, requested_revision, failures, trace_id,
  personal`
/** Every change of a row raises its revision. */
export const CHANGED = 'revision = revision + 1'
/** Requests a query: a query of the gateway that begins with the changed row, or a later one, serves the request. */
export const REQUESTED = `${CHANGED}, requested_revision = revision + 1`
const ACCOUNT = 'account = $1'
const KIND = `${ACCOUNT} AND kind = $2`
/** Condition: the row is not a tombstone. Only tombstones have a digest. */
const KEPT = 'digest IS NULL'
/**
 * Condition: like `KEPT`, but hidden from the planner of Postgres. Postgres plans a prepared statement once, and if the
 * table was empty then, it would read the whole index of all kept rows.
 */
const KEPT_ROW = `coalesce(digest, '') = ''`

/** Expression: the time from which a due transaction can be claimed. */
export const claimableAt = ({ greatest }: Dialect) => `${greatest}(due_at, lease_until)`
/** Expression: the newest of the times by which a transaction is scheduled. */
const newestOf = ({ greatest }: Dialect) =>
  `${greatest}(updated_at, coalesce(asked_at, 0), coalesce(requested_at, 0))`
/** Expression: the newest of these times and of the lease. */
export const aheadOf = (dialect: Dialect) => `${dialect.greatest}(${newestOf(dialect)}, lease_until)`

/** Spreads events over a time span: consecutive numbers, times a large prime, differ widely modulo the span. */
const SPREADING_PRIME = 7_919

/** Query: counts at most $1 rows, so that counting a large table does not delay other requests. */
const counted = (rows: string) => `SELECT count(*) AS count FROM (SELECT 1 FROM ${rows} LIMIT $1) AS counted`

/** Returns the values after which a list continues. Without a cursor, every row follows them. */
export function cursorOf(after: RowCursor | null | undefined): [updated_at: number, id: string] {
  return after ? [after.updated_at, after.id] : [-1, '']
}

/** The columns by which a movement is found, those that select the fewest rows first. */
export const FOUND_BY = ['receipt', 'order_key', 'phone', 'ends', 'amount'] as const
export type FoundBy = (typeof FOUND_BY)[number]

/** Condition: a search finds the movement. What went back is shown with the payment that a search finds. */
export const FOUND = `moved = 'paid' AND order_key IS NOT NULL`
/** The order of the movements that a search finds, the oldest first. */
export const MOVEMENT_ORDER = 'at, transaction_id, part, moved, currency'
/** The order of the movements of a day. */
export const BOOKING_ORDER = 'booked_at, transaction_id, part, moved, currency'

export type Statements = ReturnType<typeof statementsOf>

export function statementsOf(dialect: Dialect) {
  return {
    ...transactionStatements(dialect),
    ...listStatements(dialect),
    ...eventStatements(dialect),
    ...retentionStatements(dialect),
    ...promptStatements(dialect),
    ...noticeStatements(dialect),
    ...linkStatements(dialect),
    ...movementStatements(dialect),
    ...orderMarkStatements(dialect),
    ...merchantStatements(dialect),
    ...databaseStatements(dialect),
  }
}

/**
 * Lists transactions by their ids, a JSON list. Not one of {@link statementsOf}, which Postgres prepares: a plan from a
 * time when the table was empty would read all of it.
 */
export function listByIdsOf({ schema, among }: Dialect): string {
  return `SELECT ${TRANSACTION} FROM ${schema}transactions WHERE id ${among('$1')} AND ${KEPT_ROW}`
}

function transactionStatements(dialect: Dialect) {
  const { schema, greatest, lockFree, indexedBy } = dialect
  const claimable = claimableAt(dialect)
  const newest = newestOf(dialect)
  const ahead = aheadOf(dialect)
  const select = `SELECT ${TRANSACTION} FROM ${schema}transactions WHERE`
  return {
    insert: `
      INSERT INTO ${schema}transactions (id, kind, account, reference, reference_key, "group", group_key, attempt,
        outcome, record, created_at, updated_at, due_at, sent_at, trace_id, personal)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14, $15) ON CONFLICT DO NOTHING RETURNING id`,
    find: `${select} id = $1 AND ${KEPT_ROW}`,
    findByReference: `${select} ${KIND} AND reference_key = $3 AND ${KEPT_ROW}`,
    list: `${select} ${KIND} AND group_key = $3 AND ${KEPT_ROW} ORDER BY attempt`,
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
    claimTransactions: `
      WITH due AS MATERIALIZED (
        SELECT id FROM ${schema}transactions WHERE ${ACCOUNT} AND due_at IS NOT NULL AND ${claimable} <= $2
        ORDER BY ${claimable} LIMIT $4 ${lockFree})
      UPDATE ${schema}transactions SET ${CHANGED}, lease_until = $3
      WHERE id IN (SELECT id FROM due) RETURNING ${TRANSACTION}`,
    requestQuery: `
      UPDATE ${schema}transactions SET ${REQUESTED}, requested_at = $3, due_at = $3, lease_until = 0
      WHERE id = $1 AND revision = $2 AND ${KEPT_ROW} RETURNING id`,
    bringQueriesForward: `
      UPDATE ${schema}transactions SET ${REQUESTED}, requested_at = $2, due_at = $2 WHERE id IN (
        SELECT id FROM ${schema}transactions ${indexedBy('transactions_failed')}
        WHERE ${ACCOUNT} AND failures > 0 AND due_at > $2 AND lease_until <= $2 ORDER BY due_at LIMIT $3)
      RETURNING id`,
    // A clock has jumped back to $2. Transactions whose newest time lies after it become due earlier, by the
    // difference: they keep their pauses. Leases end at $3 at the latest.
    correctFutureTimes: `
      UPDATE ${schema}transactions SET ${CHANGED}, due_at = due_at - ${greatest}(0, ${newest} - $2),
        asked_at = CASE WHEN asked_at > $2 THEN $2 ELSE asked_at END,
        requested_at = CASE WHEN requested_at > $2 THEN $2 ELSE requested_at END,
        lease_until = CASE WHEN lease_until > $3 THEN $3 ELSE lease_until END
      WHERE ${ACCOUNT} AND due_at IS NOT NULL AND ${ahead} > $2 AND (${newest} > $2 OR lease_until > $3)`,
    nextTransactionDue: `
      SELECT ${claimable} AS due FROM ${schema}transactions WHERE ${ACCOUNT} AND due_at IS NOT NULL
      ORDER BY ${claimable} LIMIT 1`,
    countDueTransactions: counted(
      `${schema}transactions WHERE account = $2 AND due_at IS NOT NULL AND ${claimable} <= $3`,
    ),
  }
}

function listStatements({ schema, indexedBy }: Dialect) {
  const select = `SELECT ${TRANSACTION} FROM ${schema}transactions`
  const outcomes = indexedBy('transactions_outcome')
  const search = `${KIND} AND ${KEPT} AND updated_at >= $3 AND (updated_at, id) > ($4, $5)`
  const old = `${ACCOUNT} AND ${KEPT} AND due_at IS NULL AND updated_at < $2 AND (updated_at, id) > ($3, $4)`
  const page = (limit: string) => `ORDER BY updated_at, id LIMIT ${limit}`
  return {
    search: `${select} WHERE ${search} ${page('$6')}`,
    searchOutcome: `${select} ${outcomes} WHERE ${search} AND outcome = $7 ${page('$6')}`,
    countOutcome: counted(
      `${schema}transactions ${outcomes} WHERE account = $2 AND kind = $3 AND outcome = $4 AND ${KEPT}`,
    ),
    // SQLite's own index of the primary key. With another index, each page would read and sort all rows of the account.
    listAll: `${select} ${indexedBy('sqlite_autoindex_transactions_1')} WHERE ${ACCOUNT} AND ${KEPT} AND id > $2
      ORDER BY id LIMIT $3`,
    listScheduled: `${select} ${indexedBy('transactions_due')} WHERE ${KIND} AND due_at IS NOT NULL AND id > $3
      ORDER BY id LIMIT $4`,
    listEnded: `${select} ${indexedBy('transactions_ended')} WHERE ${old} ${page('$5')}`,
  }
}

/**
 * Events need no table of their own for what is due: `queue` names the queue of the oldest unfinished event of each
 * transaction and `about`, and of no other. A commit and a delivery of one transaction decide one after the other which
 * event this is, because both lock the row of the transaction.
 */
function eventStatements({ schema, lock, lockFree, inOrder, afterAdding, indexedBy }: Dialect) {
  const transactions = `${schema}transactions`
  const events = `${schema}events`
  const columns = `sequence, id, transaction_id, type, about, body, created_at, failures, finish, due_at, last_status,
    last_answer, (SELECT trace_id FROM ${transactions} t WHERE t.id = transaction_id) AS trace_id`
  const unfinished = 'transaction_id = $1 AND about = $2 AND finished_at IS NULL'
  /**
   * Changes the event $1, and locks its transaction. Takes the event out of its queue: `promoteEvent` must follow,
   * which decides which event about the same part is in a queue.
   */
  const change = (set: string, condition: string) => `
    WITH owner AS MATERIALIZED (
      SELECT id FROM ${transactions} WHERE id = (SELECT transaction_id FROM ${events} WHERE id = $1) ${lock})
    UPDATE ${events} SET queue = NULL, lease_until = 0, ${set}
    WHERE id = $1 AND ${condition} AND transaction_id IN (SELECT id FROM owner) RETURNING transaction_id AS id, about`
  return {
    // Postgres does not derive the type of a parameter in the list of a SELECT from the column that it is inserted
    // into.
    addEvent: `
      INSERT INTO ${events} (transaction_id, account, about, id, type, body, created_at, due_at, queue)
      SELECT t.id, t.account, CAST($2 AS text), CAST($3 AS text), CAST($4 AS text), CAST($5 AS text),
        CAST($6 AS bigint), CAST($6 AS bigint),
        CASE WHEN EXISTS (SELECT 1 FROM ${events} WHERE ${unfinished}) THEN NULL ELSE 'events' END
      FROM ${transactions} t CROSS JOIN ${inOrder} AS locked WHERE t.id = $1`,
    // Those that became due last come first: a backlog delays no new event.
    claimEvents: `
      WITH due AS MATERIALIZED (
        SELECT sequence FROM ${events} WHERE ${ACCOUNT} AND queue = $2 AND due_at <= $3
        ORDER BY due_at DESC LIMIT $5 ${lockFree})
      UPDATE ${events} SET due_at = $4, lease_until = $4 WHERE sequence IN (SELECT sequence FROM due)
      RETURNING ${columns}`,
    retryEvent: `
      UPDATE ${events} SET failures = failures + 1, due_at = $2, lease_until = 0, last_status = $3, last_answer = $4,
        queue = CASE WHEN queue IS NULL THEN NULL ELSE 'retries' END
      WHERE id = $1 AND finished_at IS NULL RETURNING transaction_id AS id, due_at AS due`,
    finishEvent: change(
      'finished_at = $2, finish = $3, last_status = $4, last_answer = $5',
      'finished_at IS NULL',
    ),
    replayEvent: change('finished_at = NULL, finish = NULL, failures = 0, due_at = $3', 'account = $2'),
    // An event that has waited for others is due now, also if the clock was ahead when it was added.
    promoteEvent: `
      UPDATE ${events} SET due_at = CASE WHEN queue IS NULL AND due_at > $3 THEN $3 ELSE due_at END,
        queue = CASE WHEN sequence > oldest THEN NULL WHEN failures > 0 THEN 'retries' ELSE 'events' END
      FROM (SELECT min(sequence) AS oldest FROM ${events} WHERE ${unfinished}) AS part
      WHERE ${unfinished} AND (queue IS NOT NULL OR sequence = oldest) RETURNING queue, due_at AS due`,
    // The time is $2. An event whose lease ends between $2 and $5 is left alone: its delivery may be running. An event
    // with a longer lease was claimed before the clock jumped back, and becomes due at $5. The others become due from $2
    // on, spread evenly over the time $4. If $6 is not null, only events that have failed and were created since $6 are
    // changed.
    bringEventsForward: `
      WITH late AS MATERIALIZED (
        SELECT sequence FROM ${events} WHERE ${ACCOUNT} AND queue IN ('events', 'retries') AND due_at > $3
          AND (lease_until <= $2 OR lease_until > $5) AND (CAST($6 AS bigint) IS NULL OR (failures > 0 AND created_at >= $6))
        LIMIT $7 ${lockFree})
      UPDATE ${events} SET lease_until = CASE WHEN lease_until > $2 THEN $5 ELSE 0 END,
        due_at = CASE WHEN lease_until > $2 THEN $5 ELSE $2 + sequence * ${SPREADING_PRIME} % $4 END
      WHERE sequence IN (SELECT sequence FROM late) RETURNING sequence`,
    newestEvent: afterAdding(`SELECT coalesce(max(sequence), 0) AS newest FROM ${events}`),
    listEvents: `
      SELECT ${columns} FROM ${events} WHERE ${ACCOUNT} AND sequence > $2 AND sequence <= $3 ORDER BY sequence LIMIT $4`,
    findEvent: `SELECT ${columns} FROM ${events} WHERE ${ACCOUNT} AND id = $2`,
    listEventsOf: `SELECT ${columns} FROM ${events} WHERE transaction_id = $1 ORDER BY sequence`,
    nextEventDue: `SELECT min(due_at) AS due FROM ${events} WHERE ${ACCOUNT} AND queue = $2`,
    countDueEvents: counted(`${events} WHERE account = $2 AND due_at <= $3 AND queue = $4`),
    // Of all accounts: events that no server delivers any more, since the environment was changed, are counted as well.
    countUndelivered: counted(`${events} ${indexedBy('events_unfinished')} WHERE finished_at IS NULL`),
  }
}

function retentionStatements({ schema, indexedBy }: Dialect) {
  const transactions = `${schema}transactions`
  const events = `${schema}events`
  // All parts, if $2 is null.
  const part = 'transaction_id = $1 AND about = coalesce($2, about)'
  return {
    // The row of a pruned transaction stays in the table as a tombstone, without the record. A group is kept as a whole
    // while one of its transactions is due, has changed since $4, waits for a person, or has an event that is not
    // finished or was given up.
    prune: `
      UPDATE ${transactions} SET ${CHANGED}, record = 'null', history = '', personal = NULL, amount = $5, digest = $6
      WHERE ${KIND} AND reference_key = $3 AND ${KEPT_ROW} AND NOT EXISTS (
        SELECT 1 FROM ${transactions} same WHERE same.account = $1 AND same.kind = $2
          AND same.group_key = ${transactions}.group_key AND (same.due_at IS NOT NULL OR same.updated_at >= $4
            OR same.outcome IN ('${FOR_A_PERSON.join("', '")}')
            OR EXISTS (SELECT 1 FROM ${events} WHERE transaction_id = same.id AND coalesce(finish, 'given_up') = 'given_up')))
      RETURNING id`,
    deleteFinished: `DELETE FROM ${events} WHERE ${part} AND finish <> 'given_up'`,
    listTombstones: `
      SELECT account, kind, reference, "group", attempt, outcome, amount, digest
      FROM ${transactions} WHERE ${KIND} AND group_key = $3 AND digest IS NOT NULL ORDER BY attempt`,
    erase: `
      UPDATE ${transactions} SET ${CHANGED}, version = version + 1, record = $3, history = '', personal = $4
      WHERE id = $1 AND revision = $2 AND ${KEPT_ROW} RETURNING id`,
    // The press stays, so that its name is not pressed anew.
    erasePress: `
      UPDATE ${schema}presses SET personal = NULL, network = NULL WHERE (account, "order") IN (
        SELECT account, group_key FROM ${transactions} WHERE id = $1)`,
    listKept: `SELECT id, finish FROM ${events} WHERE ${part}`,
    // The last answer may name a person, too.
    replaceBody: `UPDATE ${events} SET body = $2, last_answer = NULL WHERE id = $1`,
    listPersonal: `
      SELECT ${TRANSACTION} FROM ${transactions} t ${indexedBy('transactions_personal')}
      WHERE ${KIND} AND due_at IS NULL AND personal IS NOT NULL AND updated_at < $3 AND (updated_at, id) > ($4, $5)
        AND NOT EXISTS (SELECT 1 FROM ${events} WHERE transaction_id = t.id AND finished_at IS NULL)
      ORDER BY updated_at, id LIMIT $6`,
    // Runs only while a secret is replaced, so that it needs no index of its own, which each commit would change.
    listSealed: `
      SELECT id, updated_at, personal FROM ${transactions} ${indexedBy('transactions_changed')}
      WHERE ${KIND} AND ${KEPT} AND substr(personal, 1, length(CAST($3 AS text))) = $3
        AND (updated_at, id) > ($4, $5) ORDER BY updated_at, id LIMIT $6`,
    reseal: `UPDATE ${transactions} SET ${CHANGED}, personal = $3 WHERE id = $1 AND personal = $2`,
  }
}

function promptStatements({ schema, oneByOne }: Dialect) {
  const prompts = `${schema}prompts`
  const parameterOf = { account: '$1', phone: '$2', network: '$3', order: '$4' }
  const withinLimits = PROMPT_LIMITS.map(({ of, isOfPhones, most, windowMs }) => {
    const values = isOfPhones ? 'DISTINCT phone' : '*'
    const ofOthers = isOfPhones ? 'AND phone <> $2' : ''
    const inWindow = `at > CAST($5 AS bigint) - ${windowMs}`
    const condition = `${ACCOUNT} AND "${of}" = ${parameterOf[of]} ${ofOthers} AND ${inWindow}`
    return `(SELECT count(${values}) FROM ${prompts} WHERE ${condition}) < ${most}`
  })
  return {
    lockPrompts: oneByOne,
    forgetPrompts: `
      DELETE FROM ${prompts} WHERE ${ACCOUNT}
        AND (at <= CAST($2 AS bigint) - ${LONGEST_WINDOW_MS} OR at >= CAST($2 AS bigint) + ${LONGEST_WINDOW_MS})`,
    // Adds the prompt of $1 to $4 at the time $5 if it stays within all limits.
    addPrompt: `
      INSERT INTO ${prompts} (account, phone, network, "order", at) SELECT $1, $2, $3, $4, $5
      WHERE ${withinLimits.join(' AND ')} RETURNING at`,
  }
}

function noticeStatements({ schema, lockFree }: Dialect) {
  const notices = `${schema}notices`
  const columns = `id, transaction_id, way, reader, type, came, went, held, created_at, finish, failures, unanswered,
    (SELECT trace_id FROM ${schema}transactions t WHERE t.id = transaction_id) AS trace_id`
  const ofWay = 'account = $1 AND way = $2'
  return {
    addNotice: `
      INSERT INTO ${notices} (id, transaction_id, account, way, reader, type, came, went, held, created_at, due_at)
      SELECT CAST($2 AS text), t.id, t.account, CAST($3 AS text), CAST($4 AS text), CAST($5 AS text),
        CAST($6 AS text), CAST($7 AS text), CAST($8 AS text), CAST($9 AS bigint), CAST($9 AS bigint)
      FROM ${schema}transactions t WHERE t.id = $1`,
    claimNotices: `
      WITH due AS MATERIALIZED (
        SELECT id FROM ${notices} WHERE ${ofWay} AND due_at <= $3 ORDER BY due_at LIMIT $5 ${lockFree})
      UPDATE ${notices} SET due_at = $4 WHERE id IN (SELECT id FROM due) RETURNING ${columns}`,
    retryNotice: `
      UPDATE ${notices} SET failures = failures + 1, unanswered = unanswered + $3, due_at = $2
      WHERE id = $1 AND finish IS NULL`,
    finishNotice: `UPDATE ${notices} SET finish = $2, due_at = NULL WHERE id = $1 AND finish IS NULL`,
    listNoticesOf: `SELECT ${columns} FROM ${notices} WHERE transaction_id = $1 ORDER BY created_at, id`,
    deleteNotices: `DELETE FROM ${notices} WHERE transaction_id = $1`,
    nextNoticeDue: `SELECT min(due_at) AS due FROM ${notices} WHERE ${ofWay} AND due_at IS NOT NULL`,
    limitNotices: `UPDATE ${notices} SET due_at = $3 WHERE ${ofWay} AND due_at > $3`,
  }
}

function linkStatements({ schema }: Dialect) {
  const links = `${schema}links`
  const presses = `${schema}presses`
  const conditionOf = { link: 'link = $3', network: 'link = $3 AND network = $4' }
  const withinLimits = PRESS_LIMITS.map(({ of, most, windowMs }) => {
    const condition = `${ACCOUNT} AND ${conditionOf[of]} AND at > CAST($5 AS bigint) - ${windowMs}`
    return `(SELECT count(*) FROM ${presses} WHERE ${condition}) < ${most}`
  })
  const columns = 'sequence, id, terms, created_at, closed_at'
  return {
    insertLink: `INSERT INTO ${links} (account, id, terms, created_at) VALUES ($1, $2, $3, $4) RETURNING ${columns}`,
    findLink: `SELECT ${columns} FROM ${links} WHERE ${ACCOUNT} AND id = $2`,
    listLinks: `SELECT ${columns} FROM ${links} WHERE ${ACCOUNT} AND sequence > $2 ORDER BY sequence LIMIT $3`,
    closeLink: `
      UPDATE ${links} SET closed_at = coalesce(closed_at, $3) WHERE ${ACCOUNT} AND id = $2 RETURNING ${columns}`,
    forgetPresses: `
      DELETE FROM ${presses} WHERE ${ACCOUNT}
        AND (at <= CAST($2 AS bigint) - ${PRESS_LIFETIME_MS} OR at >= CAST($2 AS bigint) + ${PRESS_LIFETIME_MS})`,
    findPress: `SELECT "order", link, choice, personal FROM ${presses} WHERE ${ACCOUNT} AND "order" = $2`,
    // Adds the press of $1 to $7 if it stays within all limits.
    addPress: `
      INSERT INTO ${presses} (account, "order", link, network, at, choice, personal)
      SELECT $1, CAST($2 AS text), $3, $4, $5, CAST($6 AS text), CAST($7 AS text)
      WHERE ${withinLimits.join(' AND ')} RETURNING at`,
  }
}

const MOVEMENT = `transaction_id, kind, part, moved, at, amount, booked, booked_at, corrects, currency,
  service, operator, receipt`

/** The parameters of a search by several columns. */
const SEARCHED: Readonly<Record<FoundBy, string>> = {
  receipt: '$10',
  order_key: '$11',
  phone: '$12',
  ends: '$13',
  amount: '$14',
}

type SearchStatement = `searchBy_${FoundBy | 'at'}`
type NarrowStatement = `narrowBy_${FoundBy}`

/**
 * Each search has an index that begins with what it looks for and goes on in the order of the answer, so that its time
 * does not depend on how many movements there are.
 */
function movementStatements({ schema, indexedBy }: Dialect) {
  const movements = `${schema}movements`
  const isEqual = (column: FoundBy) => `${column} = ${SEARCHED[column]}`
  const isUnasked = (column: FoundBy) => `CAST(${SEARCHED[column]} AS text) IS NULL`
  // Whether another transaction was paid with the same receipt. No two should be.
  const shared = `m.receipt IS NOT NULL AND EXISTS (SELECT 1 FROM ${movements} o ${indexedBy('movements_receipt')}
    WHERE o.account = m.account AND o.receipt = m.receipt AND o.moved = 'paid' AND o.order_key IS NOT NULL
      AND o.transaction_id <> m.transaction_id)`
  const select = `SELECT ${MOVEMENT}, CASE WHEN ${shared} THEN 1 ELSE 0 END AS is_shared FROM ${movements} m`
  const inPeriod = 'account = $1 AND at >= $2 AND at < $3'

  const search = (leading: FoundBy | 'at', conditions: readonly string[]) =>
    `${select} ${indexedBy(`movements_${leading}`)} WHERE ${[inPeriod, FOUND, ...conditions].join(' AND ')}
      AND (${MOVEMENT_ORDER}) < ($4, $5, $6, $7, $8)
      ORDER BY ${MOVEMENT_ORDER.replaceAll(',', ' DESC,')} DESC LIMIT $9`
  // A search by one column has a statement of its own. In `narrowBy`, the conditions of the other columns mislead the
  // planner of Postgres: it expects that few rows meet them, and would sort all rows.
  const searchBy = (column: FoundBy | 'at') => search(column, column === 'at' ? [] : [`${column} = $10`])
  const narrowBy = (leading: FoundBy) =>
    search(
      leading,
      FOUND_BY.map((column) =>
        column === leading ? isEqual(column) : `(${isUnasked(column)} OR ${isEqual(column)})`,
      ),
    )

  return {
    // Returns for which transaction the payment counts: if another commit is counting it, once that one has ended.
    countPayment: `
      INSERT INTO ${schema}counted_payments (account, payment, transaction_id)
      SELECT account, CAST($2 AS text), id FROM ${schema}transactions WHERE id = $1
      ON CONFLICT (account, payment) DO UPDATE SET payment = excluded.payment
      RETURNING transaction_id,
        (SELECT reference FROM ${schema}transactions t WHERE t.id = transaction_id) AS reference`,
    putMovement: `
      INSERT INTO ${movements} (transaction_id, part, moved, account, kind, at, currency, amount, booked, booked_at,
        corrects, service, operator, receipt, order_key, phone, ends, key)
      SELECT t.id, CAST($2 AS text), CAST($3 AS text), t.account, t.kind, CAST($4 AS bigint), CAST($5 AS text),
        CAST($6 AS text), CAST($7 AS text), CAST($8 AS bigint), CAST($9 AS bigint), CAST($10 AS text),
        CAST($11 AS text), CAST($12 AS text), CASE WHEN $13 = 1 THEN t.group_key END, CAST($14 AS text),
        CAST($15 AS text), CAST($16 AS text)
      FROM ${schema}transactions t WHERE t.id = $1`,
    movementsOf: `SELECT ${MOVEMENT} FROM ${movements} WHERE transaction_id = $1 ORDER BY ${BOOKING_ORDER}`,
    deleteMovements: `DELETE FROM ${movements} WHERE transaction_id = $1`,
    ...(Object.fromEntries(
      ([...FOUND_BY, 'at'] as const).map((leading) => [`searchBy_${leading}`, searchBy(leading)]),
    ) as Record<SearchStatement, string>),
    ...(Object.fromEntries(FOUND_BY.map((leading) => [`narrowBy_${leading}`, narrowBy(leading)])) as Record<
      NarrowStatement,
      string
    >),
    listMovements: `
      ${select} ${indexedBy('movements_booked')} WHERE account = $1 AND booked_at >= $2 AND booked_at < $3
        AND (${BOOKING_ORDER}) > ($4, $5, $6, $7, $8) ORDER BY ${BOOKING_ORDER} LIMIT $9`,
    // Goes from one key to the next in the index, without reading the rows between.
    listMovementKeys: `
      SELECT key, newest FROM (WITH RECURSIVE keys(key) AS (
        SELECT min(key) FROM ${movements} WHERE account = $1 AND key IS NOT NULL
        UNION ALL
        SELECT (SELECT min(key) FROM ${movements} m WHERE m.account = $1 AND m.key > keys.key AND m.key IS NOT NULL)
        FROM keys WHERE keys.key IS NOT NULL)
      SELECT keys.key AS key, (SELECT max(at) FROM ${movements} m
        WHERE m.account = $1 AND m.key = keys.key AND m.key IS NOT NULL) AS newest
      FROM keys WHERE keys.key IS NOT NULL) AS found`,
  }
}

function orderMarkStatements({ schema }: Dialect) {
  return {
    markOrder: `
      INSERT INTO ${schema}order_marks AS known (account, "order", issued_at, digest) VALUES ($1, $2, $3, $4)
      ON CONFLICT (account, "order") DO UPDATE SET issued_at = excluded.issued_at, digest = excluded.digest
        WHERE known.issued_at < excluded.issued_at RETURNING issued_at, digest`,
    findOrderMark: `SELECT issued_at, digest FROM ${schema}order_marks WHERE ${ACCOUNT} AND "order" = $2`,
  }
}

function merchantStatements({ schema, lock }: Dialect) {
  return {
    addMerchant: `INSERT INTO ${schema}merchants VALUES ($1, '[]') ON CONFLICT DO NOTHING`,
    lockMerchant: `SELECT numbers FROM ${schema}merchants WHERE ${ACCOUNT} ${lock}`,
    saveMerchant: `UPDATE ${schema}merchants SET numbers = $2 WHERE ${ACCOUNT}`,
  }
}

/** Statements about the database as a whole. */
function databaseStatements({ schema, undo }: Dialect) {
  return {
    undo,
    marks: `
      SELECT coalesce(max(value) FILTER (WHERE name = 'store'), 0) AS store,
        max(value) FILTER (WHERE name = 'recovered') AS recovered,
        max(value) FILTER (WHERE name = 'compared') AS compared FROM ${schema}marks`,
    saveCompared: `
      INSERT INTO ${schema}marks VALUES ('compared', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    ping: `UPDATE ${schema}readiness SET writes = writes + 1`,
  }
}
