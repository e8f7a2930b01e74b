/**
 * Stores transactions in a Postgres database, which any number of server processes may share.
 *
 * Each change is made by one atomic SQL statement. A change therefore needs only one round trip, and works behind any
 * connection pooler. Transactions that are inserted at about the same time share a statement.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type {
  Change,
  Changed,
  Countable,
  EventQueue,
  HistoryEntry,
  ListQuery,
  MerchantAccount,
  NewTransaction,
  OrderMark,
  Outbox,
  Retention,
  Store,
  Transaction,
} from '../store.ts'
import type { Changes } from './postgres/changes.ts'
import type { Database } from './postgres/database.ts'
import { systemClock } from '../clock.ts'
import { silentLog } from '../log.ts'
import { systemRandomness } from '../randomness.ts'
import { createChanges } from './postgres/changes.ts'
import { createDatabase, DuplicateError } from './postgres/database.ts'
import { createInsertGroup } from './postgres/insert-group.ts'
import { createOutbox } from './postgres/outbox.ts'
import { createRetention } from './postgres/retention.ts'
import { accountKey, STATEMENTS } from './postgres/statements.ts'
import { CountRow, DueRow, HistoryRows, IdRows, MarkRow, OrderMarkRow, Rows } from './rows.ts'

export interface PostgresOptions {
  log?: Log | undefined
  clock?: Clock | undefined
}

/** Returns the store at a `postgres://` URL. The first method call connects to the database and migrates its tables. */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  const { log = silentLog, clock = systemClock } = options
  const database = createDatabase(url)
  const changes = createChanges({ database, clock, log, self: systemRandomness.token() })
  const store = new PostgresStore(database, changes)
  return Object.assign(store, createOutbox(database, changes), createRetention(database))
}

/** The methods of the store that `createOutbox` and `createRetention` do not provide. */
type Methods = Omit<Store, keyof Outbox | keyof Retention>

class PostgresStore implements Methods {
  readonly #database: Database
  readonly #changes: Changes
  readonly #insertOne: (row: NewTransaction) => Promise<boolean>

  constructor(database: Database, changes: Changes) {
    this.#database = database
    this.#changes = changes
    this.#insertOne = createInsertGroup(async (rows) => {
      const inserted = IdRows.parse(await this.#query('insertNew', columnsOf(rows)))
      return new Set(inserted.map(({ id }) => id))
    })
  }

  async insert(...transactions: NewTransaction[]): Promise<boolean> {
    const [first, ...others] = transactions
    const isNew = first && others.length === 0 ? this.#insertOne(first) : this.#insertAll(transactions)
    if (!(await isNew)) return false
    for (const { id, due_at } of transactions) this.#changes.announce({ id, due_at, event_due_at: null })
    return true
  }

  async find(id: string): Promise<Transaction | null> {
    return this.#findOne('find', [id])
  }

  async findByReference(
    account: MerchantAccount,
    kind: Transaction['kind'],
    reference: string,
  ): Promise<Transaction | null> {
    return this.#findOne('findByReference', [accountKey(account), kind, reference])
  }

  async list(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Transaction[]> {
    return Rows.parse(await this.#query('list', [accountKey(account), kind, group]))
  }

  async search(
    account: MerchantAccount,
    kind: Transaction['kind'],
    query: ListQuery,
  ): Promise<Transaction[]> {
    const { outcome, updatedSince = 0, after = { updated_at: -1, id: '' }, limit } = query
    const values = [accountKey(account), kind, updatedSince, after.updated_at, after.id, limit]
    return Rows.parse(
      outcome === undefined
        ? await this.#query('search', values)
        : await this.#query('searchOutcome', [...values, outcome]),
    )
  }

  async commit(id: string, version: number, change: Change): Promise<Transaction | null> {
    const { at, events = [] } = change
    const values = [id, version, ...changedColumns(change)]
    const saved =
      events.length === 0
        ? await this.#findOne('commit', values)
        : await this.#findOne('commitEvents', [
            ...values,
            events.map((event) => event.id),
            events.map(({ about = '' }) => about),
            events.map(({ type }) => type),
            events.map(({ body }) => body),
          ])
    if (saved)
      this.#changes.announce({ id, due_at: saved.due_at, event_due_at: events.length > 0 ? at : null })
    return saved
  }

  async history(id: string): Promise<HistoryEntry[]> {
    return HistoryRows.parse(await this.#query('history', [id]))
  }

  async countWaitingElsewhere(account: MerchantAccount): Promise<number> {
    const [row] = await this.#query('countWaitingElsewhere', [accountKey(account)])
    return CountRow.parse(row).waiting
  }

  async claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]> {
    await this.#database.checkOrigin()
    return Rows.parse(await this.#query('claimTransactions', [accountKey(account), now, leaseUntil, limit]))
  }

  async hastenQueries(account: MerchantAccount, now: number, limit: number): Promise<number> {
    return (await this.#query('hastenQueries', [accountKey(account), now, limit])).length
  }

  async nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null> {
    const [row] =
      queue === 'transactions'
        ? await this.#query('nextTransactionDue', [accountKey(account)])
        : await this.#query('nextEventDue', [accountKey(account), queue === 'retries'])
    return DueRow.parse(row).due
  }

  async markOrder(account: MerchantAccount, order: string, mark: OrderMark): Promise<OrderMark> {
    const key = [accountKey(account), order]
    const find = async () => OrderMarkRow.optional().parse((await this.#query('findOrderMark', key))[0])
    const stored = await find()
    if (stored && stored.issued_at >= mark.issued_at) return stored
    await this.#query('markOrder', [...key, mark.issued_at, mark.digest])
    // Another process may have stored a newer mark meanwhile.
    return (await find()) ?? mark
  }

  // Read each time: the database may be recovered while servers run.
  async recoveredAt(): Promise<number | null> {
    const [row] = await this.#query('recoveredAt')
    return MarkRow.parse(row).at
  }

  async count(account: MerchantAccount, what: Countable, limit: number): Promise<number> {
    const [row] = await this.#count(accountKey(account), what, limit)
    return CountRow.parse(row).waiting
  }

  connections(): Record<'inUse' | 'idle' | 'waiting', number> {
    return this.#database.connections()
  }

  watch(changed: (change: Changed) => void, watched?: () => string[]): () => void {
    return this.#changes.watch(changed, watched)
  }

  async ping(): Promise<void> {
    await this.#database.checkOrigin()
    await this.#query('ping')
  }

  async close(): Promise<void> {
    await this.#changes.close()
    await this.#database.close()
  }

  async #insertAll(transactions: NewTransaction[]): Promise<boolean> {
    try {
      await this.#query('insertAll', columnsOf(transactions))
      return true
    } catch (error) {
      if (error instanceof DuplicateError) return false
      throw error
    }
  }

  #count(key: string, what: Countable, limit: number): Promise<unknown[]> {
    switch (what.of) {
      case 'undelivered':
        return this.#query('countUndelivered', [limit])
      case 'outcome':
        return this.#query('countOutcome', [limit, key, what.kind, what.outcome])
      case 'due':
        return what.queue === 'transactions'
          ? this.#query('countDueTransactions', [limit, key, what.now])
          : this.#query('countDueEvents', [limit, key, what.now, what.queue === 'retries'])
    }
  }

  async #findOne(statement: keyof typeof STATEMENTS, values: unknown[]): Promise<Transaction | null> {
    const [row] = Rows.parse(await this.#query(statement, values))
    return row ?? null
  }

  #query(statement: keyof typeof STATEMENTS, values?: unknown[]): Promise<unknown[]> {
    return this.#database.query(STATEMENTS[statement], values)
  }
}

/** Returns the values to insert, as one array per column. Each array holds one value per transaction. */
function columnsOf(transactions: NewTransaction[]): unknown[] {
  const accountColumns = ['environment', 'base_url', 'account_number'] as const
  const columns = ['id', 'kind', 'reference', 'group', 'attempt', 'outcome'] as const
  return [
    ...accountColumns.map((column) => transactions.map(({ account }) => account[column])),
    transactions.map(({ account }) => accountKey(account)),
    ...columns.map((column) => transactions.map((row) => row[column])),
    transactions.map(({ record }) => JSON.stringify(record)),
    transactions.map(({ created_at }) => created_at),
    transactions.map(({ due_at }) => due_at),
    transactions.map(({ sent_at }) => sent_at),
    transactions.map(({ trace_id }) => trace_id),
  ]
}

/** Returns the values of a change, in the order of the parameters of `commit`. */
function changedColumns(change: Change): unknown[] {
  const { at, record, outcome, sent_at, due_at, asked_at, failures, historyEntry } = change
  const isRenewal = record !== undefined || sent_at !== undefined
  return [
    isRenewal ? 1 : 0,
    record === undefined ? null : JSON.stringify(record),
    isRenewal ? at : null,
    due_at !== undefined,
    due_at,
    outcome,
    sent_at,
    asked_at,
    failures,
    at,
    historyEntry || null,
  ]
}
