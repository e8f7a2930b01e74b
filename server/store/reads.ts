/** Reads rows of both databases: one SQL text and one function for each read. */

import type { Store, Transaction } from '../store.ts'
import { LONGEST_WINDOW_MS, PROMPT_LIMITS } from '../limits/prompts.ts'
import {
  CountRow,
  DueRow,
  EventRows,
  HistoryRows,
  NewestRow,
  OrderMarkRow,
  Rows,
  StoredEvents,
  TombstoneRows,
  WindowRow,
} from './rows.ts'

/** Where the databases differ. All fields are SQL text. */
interface Dialect {
  /** The prefix of a table's name. */
  schema: string
  tombstones: string
  /** Condition: the row is not a tombstone. */
  kept: string
  /** Like `kept`, but not enough for an index of all kept rows to be used. */
  keptRow: string
  /** Condition: the row is not masked since its last change. */
  unmasked: string
  /** Condition: the record contains one of the lower-case texts in the JSON array $4. */
  mentions: string
  /** Returns the hint to use an index. SQLite knows nothing of how rows are distributed. */
  indexedBy: (index: string) => string
}

/**
 * SQL list of all columns of a transaction. The columns are named because a prepared statement with `*` fails after a
 * migration has added a column.
 */
export const TRANSACTION = `id, kind, account, reference, "group", attempt, version, outcome,
  record, created_at, updated_at, due_at, sent_at, asked_at, requested_at, failures, trace_id`
const ACCOUNT = 'account = $1'
/** SQL condition: the transaction belongs to the given group. */
const GROUP = `${ACCOUNT} AND kind = $2 AND "group" = $3`

/** SQL list of the columns of an event, with the trace id of its transaction. */
export const eventColumns = (transactions: string) => `
  sequence, id, transaction_id, type, body, created_at, failures, finish, due_at, last_status, last_answer,
  (SELECT trace_id FROM ${transactions} t WHERE t.id = transaction_id) AS trace_id`

/** SQL query: counts at most $1 rows, so that counting a large table does not delay other requests. */
export const counted = (rows: string) =>
  `SELECT count(*) AS waiting FROM (SELECT 1 FROM ${rows} LIMIT $1) AS counted`

const PROMPT = { account: '$1', phone: '$2', network: '$3', order: '$4' } as const
/** SQL conditions: the prompt of $1 to $4 at the time $5 stays within all limits. */
const withinLimits = (prompts: string) =>
  PROMPT_LIMITS.map(({ of, isOfPhones, most, windowMs }) => {
    const [counted, others] = isOfPhones ? ['DISTINCT phone', ' AND phone <> $2'] : ['*', '']
    const own = `account = $1 AND "${of}" = ${PROMPT[of]}${others} AND at > CAST($5 AS bigint) - ${windowMs}`
    return `(SELECT count(${counted}) FROM ${prompts} WHERE ${own}) < ${most}`
  }).join(' AND ')

/** Returns the statements of {@link createReads} and those of prompts, but those that find what is due. */
export function readStatements(dialect: Dialect) {
  const { schema, tombstones, kept, keptRow, unmasked, mentions, indexedBy } = dialect
  const [transactions, events] = [`${schema}transactions`, `${schema}events`]
  const select = (index = '') => `SELECT ${TRANSACTION} FROM ${transactions} t ${index && indexedBy(index)}`
  const listed = (index: string, condition: string) => `
    ${select(index)} WHERE ${ACCOUNT} AND ${kept} AND ${condition} ORDER BY updated_at, id LIMIT `
  const search = 'kind = $2 AND updated_at >= $3 AND (updated_at, id) > ($4, $5)'
  const ended = 'due_at IS NULL AND updated_at < $2 AND (updated_at, id) > ($3, $4)'
  const event = `SELECT ${eventColumns(transactions)} FROM ${events} WHERE ${ACCOUNT}`
  return {
    findByReference: `${select()} WHERE ${ACCOUNT} AND kind = $2 AND reference = $3 AND ${keptRow}`,
    list: `${select()} WHERE ${GROUP} AND ${keptRow} ORDER BY attempt`,
    listAlike: `${select()} WHERE ${ACCOUNT} AND kind = $2 AND alike = $3 AND ${keptRow} ORDER BY attempt`,
    search: `${listed('', search)} $6`,
    searchOutcome: `${listed('transactions_outcome', `${search} AND outcome = $7`)} $6`,
    history: `SELECT at, what FROM ${schema}history WHERE transaction_id = $1 ORDER BY sequence`,
    findOrderMark: `SELECT issued_at, digest FROM ${schema}order_marks WHERE ${ACCOUNT} AND "order" = $2`,
    markOrder: `
      INSERT INTO ${schema}order_marks AS known (account, "order", issued_at, digest) VALUES ($1, $2, $3, $4)
      ON CONFLICT (account, "order") DO UPDATE SET issued_at = excluded.issued_at, digest = excluded.digest
        WHERE known.issued_at < excluded.issued_at`,
    forgetPrompts: `
      DELETE FROM ${schema}prompts WHERE ${ACCOUNT}
        AND (at <= CAST($2 AS bigint) - ${LONGEST_WINDOW_MS} OR at >= CAST($2 AS bigint) + ${LONGEST_WINDOW_MS})`,
    addPrompt: `
      INSERT INTO ${schema}prompts (account, phone, network, "order", at) SELECT $1, $2, $3, $4, $5
      WHERE ${withinLimits(`${schema}prompts`)} RETURNING at`,
    findMerchant: `SELECT numbers FROM ${schema}merchants WHERE ${ACCOUNT}`,
    marks: `
      SELECT coalesce(max(at) FILTER (WHERE name = 'store'), 0) AS store,
        max(at) FILTER (WHERE name = 'recovered') AS recovered FROM ${schema}marks`,
    newestEvent: `SELECT coalesce(max(sequence), 0) AS newest FROM ${events}`,
    listEvents: `${event} AND sequence > $2 AND sequence <= $3 ORDER BY sequence LIMIT $4`,
    findEvent: `${event} AND id = $2`,
    countUndelivered: counted(`${events} ${indexedBy('events_next')} WHERE finished_at IS NULL`),
    countOutcome: counted(`${transactions} ${indexedBy('transactions_outcome')}
      WHERE account = $2 AND kind = $3 AND outcome = $4 AND ${kept}`),
    listEnded: `${listed('transactions_ended', ended)} $5`,
    listTombstones: `
      SELECT account, kind, reference, "group", attempt, outcome, amount, digest
      FROM ${tombstones} WHERE ${GROUP} AND digest IS NOT NULL ORDER BY attempt`,
    listUnmasked: `${listed(
      'transactions_unmasked',
      `${ended} AND ${unmasked} AND kind <> 'checkout' AND NOT EXISTS (
        SELECT 1 FROM ${events} WHERE transaction_id = t.id AND finished_at IS NULL)`,
    )} $5`,
    listEventsOf: `
      SELECT id, about, body, finished_at IS NOT NULL AS is_finished FROM ${events}
      WHERE transaction_id = $1 ORDER BY sequence`,
    findWindow: `
      SELECT max(id) AS last, count(*) AS count
      FROM (SELECT id FROM ${transactions} WHERE ${ACCOUNT} AND ${kept} AND id > $2 ORDER BY id LIMIT $3) AS part`,
    findMentioning: `${select()} WHERE ${ACCOUNT} AND ${kept} AND id > $2 AND id <= $3 AND EXISTS (${mentions})`,
  }
}
type ReadName =
  | keyof ReturnType<typeof readStatements>
  | 'nextTransactionDue'
  | 'nextEventDue'
  | 'countDueTransactions'
  | 'countDueEvents'

/** The value of a parameter. SQLite has no booleans. */
export type Value = string | number | boolean | null

/**
 * Both functions run a statement. The values are those of `$1`, `$2` and so on.
 *
 * @param write Resolves when the change is stored.
 */
export function createReads(
  ask: (statement: ReadName, values: Value[]) => Promise<unknown[]>,
  write: (statement: 'markOrder', values: Value[]) => Promise<unknown>,
) {
  const rows = async (...asked: Parameters<typeof ask>): Promise<Transaction[]> =>
    Rows.parse(await ask(...asked))
  return {
    async findByReference(account, kind, reference) {
      const [row] = await rows('findByReference', [account, kind, reference])
      return row ?? null
    },
    list: (account, kind, group) => rows('list', [account, kind, group]),
    listAlike: (account, kind, alike) => rows('listAlike', [account, kind, alike]),
    search(account, kind, { outcome, updatedSince = 0, after, limit }) {
      const values = [account, kind, updatedSince, after?.updated_at ?? -1, after?.id ?? '', limit]
      return outcome === undefined ? rows('search', values) : rows('searchOutcome', [...values, outcome])
    },
    history: async (id) => HistoryRows.parse(await ask('history', [id])),
    async listEvents(account, after, limit) {
      const [row] = await ask('newestEvent', [])
      const { newest } = NewestRow.parse(row)
      return EventRows.parse(await ask('listEvents', [account, after, newest, limit]))
    },
    async findEvent(account, id) {
      const [found] = EventRows.parse(await ask('findEvent', [account, id]))
      return found ?? null
    },
    async nextDue(account, queue) {
      const [row] = await (queue === 'transactions'
        ? ask('nextTransactionDue', [account])
        : ask('nextEventDue', [account, queue === 'retries']))
      return DueRow.parse(row).due
    },
    async count(account, what, limit) {
      const [row] = await (what.of === 'undelivered'
        ? ask('countUndelivered', [limit])
        : what.of === 'outcome'
          ? ask('countOutcome', [limit, account, what.kind, what.outcome])
          : what.queue === 'transactions'
            ? ask('countDueTransactions', [limit, account, what.now])
            : ask('countDueEvents', [limit, account, what.now, what.queue === 'retries']))
      return CountRow.parse(row).waiting
    },
    listEnded: (account, before, after, limit) =>
      rows('listEnded', [account, before, after?.updated_at ?? -1, after?.id ?? '', limit]),
    listTombstones: async (...group) => TombstoneRows.parse(await ask('listTombstones', group)),
    listUnmasked: (account, before, after, limit) =>
      rows('listUnmasked', [account, before, after?.updated_at ?? -1, after?.id ?? '', limit]),
    listEventsOf: async (id) => StoredEvents.parse(await ask('listEventsOf', [id])),
    async findMentioning(account, texts, after, limit) {
      const [part] = await ask('findWindow', [account, after, limit])
      const { last, count } = WindowRow.parse(part)
      if (last === null) return { rows: [], next: null }
      const found = await rows('findMentioning', [account, after, last, JSON.stringify(texts)])
      return { rows: found, next: count < limit ? null : last }
    },
    async markOrder(account, order, mark) {
      const key = [account, order]
      const find = async () => OrderMarkRow.optional().parse((await ask('findOrderMark', key))[0])
      const stored = await find()
      if (stored && stored.issued_at >= mark.issued_at) return stored
      await write('markOrder', [...key, mark.issued_at, mark.digest])
      // Another process may have stored a newer mark meanwhile.
      return (await find()) ?? mark
    },
  } satisfies Partial<Store>
}
