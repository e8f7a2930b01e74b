/**
 * The store in one SQLite file, for one process.
 *
 * Every commit is durable when it returns (WAL, synchronous=FULL). The database handle stays on the store object
 * for its whole life and statements are prepared once: the driver must not see the handle collected while a
 * statement lives.
 */

import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import type {
  Change,
  Delivery,
  MerchantAccount,
  ListQuery,
  NewTransaction,
  OutboxEvent,
  Store,
  Transaction,
} from '../store.ts'
import { z } from 'zod'
import { parseJson } from '../json.ts'
import { StoreError } from '../store.ts'
import { migrate } from './sqlite/migrate.ts'
import { openDatabase } from './sqlite/database.ts'

const Row = z
  .object({
    id: z.string(),
    kind: z.enum(['checkout', 'payout', 'charge', 'airtime']),
    environment: z.enum(['sandbox', 'production']),
    base_url: z.string(),
    account_number: z.string(),
    reference: z.string(),
    group: z.string(),
    attempt: z.number(),
    version: z.number(),
    outcome: z.string(),
    /** What is not JSON any more stays text, which no kind takes for a record: one damaged row fails alone. */
    record: z.string().transform((text) => parseJson(text) ?? text),
    created_at: z.number(),
    updated_at: z.number(),
    due_at: z.number().nullable(),
    sent_at: z.number().nullable(),
    asked_at: z.number().nullable(),
    failures: z.number(),
  })
  .transform(({ environment, base_url, account_number, ...row }): Transaction => ({
    ...row,
    account: { environment, base_url, account_number },
  }))
const Rows = z.array(Row)
const EventRow = z.object({
  sequence: z.number(),
  id: z.string(),
  transaction_id: z.string(),
  type: z.string(),
  body: z.string(),
  created_at: z.number(),
  failures: z.number(),
  finish: z.enum(['delivered', 'given_up']).nullable(),
})
const ReplayedRow = z.object({ transaction_id: z.string() })
const HistoryRow = z.object({ at: z.number(), what: z.string() })
const CountRow = z.object({ waiting: z.number() })
const DueRow = z.object({ due: z.number().nullable() })

const HOME = 'environment = :environment AND base_url = :base_url AND account_number = :account_number'
/**
 * Of each transaction the event whose turn it is: of those with none before them about the same, the one that is due
 * first, so that one which failed lets the others pass. A transaction may have thousands, so indexes are walked from
 * transaction to transaction, and to its first, rather than through all that waits.
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
  WHERE ${HOME}`
const EVENT = 'sequence, id, transaction_id, type, body, created_at, failures, finish'

/** `path` is a file, or `:memory:`. Creates and migrates it as needed. */
export function openSqliteStore(path: string): Store {
  const database = openDatabase(path)
  migrate(database)
  return new SqliteStore(database)
}

class SqliteStore implements Store {
  readonly #database: DatabaseSyncInstance
  readonly #statements
  readonly #watchers = new Set<(id: string) => void>()

  constructor(database: DatabaseSyncInstance) {
    this.#database = database
    this.#statements = prepareStatements(database)
  }

  async insert(...transactions: NewTransaction[]): Promise<boolean> {
    const isNew = this.#atomically(() =>
      transactions.every(({ account, record, ...row }) => {
        const values = { ...row, ...account, record: JSON.stringify(record) }
        return this.#statements.insert.run(values).changes === 1
      }),
    )
    if (isNew) for (const { id } of transactions) this.#announce(id)
    return isNew
  }

  async find(id: string): Promise<Transaction | null> {
    const row = this.#statements.find.get({ id })
    return row === undefined ? null : Row.parse(row)
  }

  async findByReference(
    account: MerchantAccount,
    kind: Transaction['kind'],
    reference: string,
  ): Promise<Transaction | null> {
    const row = this.#statements.findByReference.get({ ...account, kind, reference })
    return row === undefined ? null : Row.parse(row)
  }

  async list(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Transaction[]> {
    return Rows.parse(this.#statements.list.all({ ...account, kind, group }))
  }

  async search(
    account: MerchantAccount,
    kind: Transaction['kind'],
    query: ListQuery,
  ): Promise<Transaction[]> {
    const { outcome = null, updatedSince = 0, after = { updated_at: -1, id: '' }, limit } = query
    return Rows.parse(
      this.#statements.search.all({ ...account, kind, outcome, updatedSince, ...after, limit }),
    )
  }

  async commit(id: string, version: number, change: Change): Promise<Transaction | null> {
    const saved = this.#atomically(() => {
      const row = this.#statements.find.get({ id })
      const old = row === undefined ? null : Row.parse(row)
      if (old?.version !== version) return null
      const renewed = change.record !== undefined || change.sent_at !== undefined
      this.#statements.update.run({
        id,
        version: renewed ? version + 1 : version,
        record: change.record === undefined ? null : JSON.stringify(change.record),
        updated_at: renewed ? change.at : old.updated_at,
        due_at: change.due_at === undefined ? old.due_at : change.due_at,
        outcome: change.outcome ?? old.outcome,
        sent_at: change.sent_at ?? old.sent_at,
        asked_at: change.asked_at ?? old.asked_at,
        failures: change.failures ?? old.failures,
      })
      if (change.historyEntry)
        this.#statements.addHistory.run({ id, at: change.at, what: change.historyEntry })
      for (const event of change.events ?? []) {
        this.#statements.addEvent.run({ about: '', ...event, transaction_id: id, at: change.at })
      }
      return Row.parse(this.#statements.find.get({ id }))
    })
    if (saved) this.#announce(id)
    return saved
  }

  async history(id: string) {
    return z.array(HistoryRow).parse(this.#statements.history.all({ id }))
  }

  async countWaitingElsewhere(account: MerchantAccount): Promise<number> {
    return CountRow.parse(this.#statements.countWaitingElsewhere.get({ ...account })).waiting
  }

  async claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]> {
    return Rows.parse(this.#statements.claimTransactions.all({ ...account, now, leaseUntil, limit }))
  }

  async claimEvents(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<OutboxEvent[]> {
    return z.array(EventRow).parse(this.#statements.claimEvents.all({ ...account, now, leaseUntil, limit }))
  }

  async finishEvent(id: string, delivery: Delivery, at: number): Promise<void> {
    this.#atomically(() => {
      if (delivery.kind === 'retry') {
        this.#statements.retryEvent.run({ id, at: delivery.at })
        this.#statements.pause.run({ id, until: delivery.othersAt })
      } else {
        this.#statements.finishEvent.run({ id, at, finish: delivery.kind })
        this.#statements.endPause.run({ id })
      }
    })
  }

  async listEvents(account: MerchantAccount, after: number, limit: number): Promise<OutboxEvent[]> {
    return z.array(EventRow).parse(this.#statements.listEvents.all({ ...account, after, limit }))
  }

  async replayEvent(account: MerchantAccount, id: string, at: number): Promise<boolean> {
    const replayed = this.#statements.replayEvent.get({ ...account, id, at })
    if (replayed === undefined) return false
    this.#statements.endPause.run({ id })
    this.#announce(ReplayedRow.parse(replayed).transaction_id)
    return true
  }

  async nextDue(account: MerchantAccount, queue: 'transactions' | 'events'): Promise<number | null> {
    const statement = queue === 'events' ? this.#statements.nextEventDue : this.#statements.nextTransactionDue
    return DueRow.parse(statement.get({ ...account })).due
  }

  watch(changed: (id: string) => void): () => void {
    this.#watchers.add(changed)
    return () => void this.#watchers.delete(changed)
  }

  async ping(): Promise<void> {
    this.#statements.ping.get({})
  }

  async close(): Promise<void> {
    this.#watchers.clear()
    this.#database.close()
  }

  #announce(id: string): void {
    for (const changed of this.#watchers) changed(id)
  }

  /** What throws or comes to `false` is undone. */
  #atomically<T>(work: () => T): T {
    reach(() => this.#database.exec('BEGIN IMMEDIATE'))
    try {
      const result = work()
      reach(() => this.#database.exec(result === false ? 'ROLLBACK' : 'COMMIT'))
      return result
    } catch (error) {
      reach(() => this.#database.exec('ROLLBACK'))
      throw error
    }
  }
}

/** Whatever the driver throws means that the store cannot be used. */
function reach<T>(work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new StoreError('The store cannot be used.', { cause })
  }
}

type Values = Record<string, string | number | null>

function prepareStatements(database: DatabaseSyncInstance) {
  const prepare = (sql: string) => {
    const statement = database.prepare(sql)
    return {
      get: (values: Values) => reach(() => statement.get(values)),
      all: (values: Values) => reach(() => statement.all(values)),
      run: (values: Values) => reach(() => statement.run(values)),
    }
  }
  return {
    insert: prepare(`
      INSERT INTO transactions
        (id, kind, environment, base_url, account_number, reference, "group", attempt, outcome, record, created_at, updated_at, due_at)
      VALUES
        (:id, :kind, :environment, :base_url, :account_number, :reference, :group, :attempt, :outcome, :record, :created_at, :created_at, :due_at)
      ON CONFLICT DO NOTHING`),
    find: prepare('SELECT * FROM transactions WHERE id = :id'),
    findByReference: prepare(
      `SELECT * FROM transactions WHERE ${HOME} AND kind = :kind AND reference = :reference`,
    ),
    list: prepare(
      `SELECT * FROM transactions WHERE ${HOME} AND kind = :kind AND "group" = :group ORDER BY attempt`,
    ),
    update: prepare(`
      UPDATE transactions SET version = :version, outcome = :outcome, record = coalesce(:record, record), updated_at = :updated_at, due_at = :due_at,
        sent_at = :sent_at, asked_at = :asked_at, failures = :failures, lease_until = 0
      WHERE id = :id`),
    search: prepare(`
      SELECT * FROM transactions WHERE ${HOME} AND kind = :kind AND (:outcome IS NULL OR outcome = :outcome)
        AND updated_at >= :updatedSince AND (updated_at, id) > (:updated_at, :id)
      ORDER BY updated_at, id LIMIT :limit`),
    countWaitingElsewhere: prepare(
      `SELECT count(*) AS waiting FROM transactions WHERE due_at IS NOT NULL AND NOT (${HOME})`,
    ),
    history: prepare('SELECT at, what FROM history WHERE transaction_id = :id ORDER BY rowid'),
    addHistory: prepare('INSERT INTO history (transaction_id, at, what) VALUES (:id, :at, :what)'),
    addEvent: prepare(`
      INSERT INTO events (id, transaction_id, about, type, body, created_at, due_at)
      VALUES (:id, :transaction_id, :about, :type, :body, :at, :at)`),
    claimTransactions: prepare(`
      UPDATE transactions SET lease_until = :leaseUntil WHERE id IN (
        SELECT id FROM transactions
        WHERE ${HOME} AND due_at <= :now AND lease_until <= :now ORDER BY due_at LIMIT :limit)
      RETURNING *`),
    claimEvents: prepare(`
      UPDATE events SET lease_until = :leaseUntil WHERE sequence IN (
        ${nextEvents('e.sequence')} AND e.due_at <= :now AND e.lease_until <= :now AND coalesce(p.until, 0) <= :now
        ORDER BY e.due_at LIMIT :limit)
      RETURNING ${EVENT}`),
    listEvents: prepare(`
      SELECT ${EVENT.replaceAll(/(\w+)/g, 'e.$1')} FROM events e JOIN transactions t ON t.id = e.transaction_id
      WHERE ${HOME} AND e.sequence > :after ORDER BY e.sequence LIMIT :limit`),
    replayEvent: prepare(`
      UPDATE events SET finished_at = NULL, finish = NULL, failures = 0, due_at = :at WHERE id = :id
        AND transaction_id IN (SELECT id FROM transactions WHERE ${HOME})
      RETURNING transaction_id`),
    retryEvent: prepare(
      'UPDATE events SET failures = failures + 1, due_at = :at, lease_until = 0 WHERE id = :id',
    ),
    pause: prepare(`
      INSERT INTO pauses (transaction_id, until) SELECT transaction_id, :until FROM events WHERE id = :id
      ON CONFLICT DO UPDATE SET until = excluded.until`),
    endPause: prepare(
      'DELETE FROM pauses WHERE transaction_id = (SELECT transaction_id FROM events WHERE id = :id)',
    ),
    finishEvent: prepare(
      'UPDATE events SET finished_at = :at, finish = :finish, lease_until = 0 WHERE id = :id',
    ),
    // Most that is due is so weeks from now, so neither half may look at more than the first.
    nextTransactionDue: prepare(`
      SELECT min(due) AS due FROM (
        SELECT * FROM (SELECT due_at AS due FROM transactions
          WHERE ${HOME} AND due_at IS NOT NULL AND lease_until <= due_at ORDER BY due_at LIMIT 1)
        UNION ALL
        SELECT min(lease_until) FROM transactions
          WHERE ${HOME} AND due_at IS NOT NULL AND lease_until > 0 AND lease_until > due_at)`),
    nextEventDue: prepare(`
      SELECT min(due) AS due FROM (${nextEvents('max(e.due_at, e.lease_until, coalesce(p.until, 0)) AS due')})`),
    ping: prepare('SELECT 1'),
  }
}
