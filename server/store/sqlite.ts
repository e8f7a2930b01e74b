/**
 * Implements the store with one SQLite file, for one process.
 *
 * Every commit is durable when it returns (WAL, synchronous=FULL). Statements are prepared once. The store object keeps
 * the database handle: the driver fails if the handle is garbage-collected before its statements.
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
import { migrate } from './sqlite/migrate.ts'
import { CountRow, DueRow, EventRows, HistoryRows, ReplayedRow, Row, Rows } from './sqlite/rows.ts'
import { prepareStatements, wrapStoreError } from './sqlite/statements.ts'
import { openDatabase } from './sqlite/database.ts'

/** Opens the store at `path`, a file or `:memory:`. Creates and migrates it as needed. */
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
    return HistoryRows.parse(this.#statements.history.all({ id }))
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
    return EventRows.parse(this.#statements.claimEvents.all({ ...account, now, leaseUntil, limit }))
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
    return EventRows.parse(this.#statements.listEvents.all({ ...account, after, limit }))
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

  /** Runs `work` in a database transaction. Rolls back if `work` throws or returns `false`. */
  #atomically<T>(work: () => T): T {
    wrapStoreError(() => this.#database.exec('BEGIN IMMEDIATE'))
    try {
      const result = work()
      wrapStoreError(() => this.#database.exec(result === false ? 'ROLLBACK' : 'COMMIT'))
      return result
    } catch (error) {
      wrapStoreError(() => this.#database.exec('ROLLBACK'))
      throw error
    }
  }
}
