/**
 * Stores transactions in a SQLite file, which only one server process may use.
 *
 * When `commit` resolves, the change is on disk (WAL, synchronous=FULL). The store keeps a reference to the database
 * handle, because the driver fails if the handle is garbage-collected before its statements.
 */

import { resolve } from 'node:path'
import { z } from 'zod'
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
import type { Database } from './sqlite/database.ts'
import type { Statements } from './sqlite/statements.ts'
import { CountRow, DueRow, HistoryRows, IdRows, MarkRow, OrderMarkRow, Row, Rows } from './rows.ts'
import { CommitGroup } from './sqlite/commit-group.ts'
import { isMissing, lockForServer, namingFile, openDatabase, refuseMissing } from './sqlite/database.ts'
import { FileCheck } from './sqlite/file-check.ts'
import { addEvents, createOutbox } from './sqlite/outbox.ts'
import { copiedAt } from './sqlite/recover.ts'
import { createRetention } from './sqlite/retention.ts'
import { RowCache } from './sqlite/row-cache.ts'
import { migrate } from './sqlite/schema.ts'
import { prepareStatements } from './sqlite/statements.ts'
import { Watchers } from './sqlite/watchers.ts'

/** The maximum time that a statement waits inside SQLite while another process locks the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5
/** The maximum time that the checkpoint waits for other processes when the server stops, in milliseconds. */
const LAST_CHECKPOINT_MS = 1_000

const Checkpoint = z.object({ log: z.number(), checkpointed: z.number() })

export interface SqliteOptions {
  clock: Clock
  log: Log
  /**
   * Whether a command of the CLI opens the file, instead of a server. The file accepts only one server at a time, but
   * any number of commands. A command creates no file.
   */
  isCommand: boolean
}

/** Opens the SQLite store at `path`, and creates or migrates its tables. The path is a file or `:memory:`. */
export function openSqliteStore(path: string, { clock, log, isCommand }: SqliteOptions): Store {
  if (isCommand) refuseMissing(path)
  const lock = isCommand || path === ':memory:' ? null : lockForServer(path)
  try {
    const isNew = isMissing(path)
    const database = openDatabase(path)
    return namingFile(path, () => {
      migrate(database)
      refuseCopy(database)
      // This timeout is short, because waiting inside SQLite blocks the event loop. Commits wait and retry outside
      // SQLite.
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      if (isNew) log.info({}, `A new, empty store was created at ${resolve(path)}.`)
      return createStore(database, lock, clock, new FileCheck(path, completeCheckpoint(database)))
    })
  } catch (error) {
    lock?.close()
    throw error
  }
}

function createStore(database: Database, lock: Database | null, clock: Clock, files: FileCheck): Store {
  const statements = prepareStatements(database, (cause) => files.failed(cause))
  const watchers = new Watchers(statements, clock, lock !== null)
  const rows = new RowCache(statements)
  const writes = new CommitGroup(
    statements,
    () => rows.recheck(),
    () => rows.clear(),
    clock,
  )
  const store = new SqliteStore({ database, lock, files, statements, watchers, rows, writes })
  const outbox = createOutbox(statements, writes, (change) => watchers.announce(change))
  return Object.assign(store, outbox, createRetention(statements, writes, rows))
}

/** Completes a checkpoint that a crash interrupted. Returns `false` if another process prevents the completion. */
function completeCheckpoint(database: Database): boolean {
  const { log, checkpointed } = Checkpoint.parse(database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get())
  return log === checkpointed
}

function refuseCopy(database: Database): void {
  const at = copiedAt(database)
  if (at === null) return
  throw new Error(
    `it is a backup of ${new Date(at).toISOString()}, and the gateway may know newer payments. Run "gateway-checkout-server recover" first`,
  )
}

interface Parts {
  database: Database
  lock: Database | null
  files: FileCheck
  statements: Statements
  watchers: Watchers
  rows: RowCache
  writes: CommitGroup
}

/** The methods of the store that `createOutbox` and `createRetention` do not provide. */
type Methods = Omit<Store, keyof Outbox | keyof Retention>

class SqliteStore implements Methods {
  readonly #parts: Parts
  readonly #statements: Statements
  readonly #rows: RowCache
  readonly #writes: CommitGroup
  readonly #recoveredAt: number | null

  constructor(parts: Parts) {
    this.#parts = parts
    this.#statements = parts.statements
    this.#rows = parts.rows
    this.#writes = parts.writes
    // Read once, because the command `recover` runs only while no server is running.
    this.#recoveredAt = MarkRow.parse(this.#statements.recoveredAt.get({})).at
  }

  async insert(...transactions: NewTransaction[]): Promise<boolean> {
    // What is new would be lost with a deleted file. Changes of known transactions go on: their money is on its way.
    this.#parts.files.checkPresence()
    const { save, undo } = this.#statements
    const isNew = await this.#writes.add(() => {
      // A single row needs no savepoint, because a refused insert changes nothing.
      const isSingle = transactions.length === 1
      if (!isSingle) save.run({})
      const inserted = transactions.every((row) => this.#insertRow(row, isSingle))
      if (!inserted && !isSingle) undo.run({})
      return inserted
    })
    if (isNew) for (const { id, due_at } of transactions) this.#announce({ id, due_at, event_due_at: null })
    return isNew
  }

  async find(id: string): Promise<Transaction | null> {
    return this.#rows.read(id)
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
    const { outcome, updatedSince = 0, after = { updated_at: -1, id: '' }, limit } = query
    const values = { ...account, kind, updatedSince, ...after, limit }
    const { search, searchOutcome } = this.#statements
    return Rows.parse(outcome === undefined ? search.all(values) : searchOutcome.all({ ...values, outcome }))
  }

  async commit(id: string, version: number, change: Change): Promise<Transaction | null> {
    const saved = await this.#writes.add(() => {
      const old = this.#rows.read(id)
      if (old?.version !== version) return null
      const record = change.record === undefined ? null : JSON.stringify(change.record)
      const row = changeRow(old, change, record)
      if (!this.#rows.write(row, record, version)) return null
      if (change.historyEntry)
        this.#statements.addHistory.run({ id, at: change.at, what: change.historyEntry })
      addEvents(this.#statements, row, change)
      return row
    })
    const event_due_at = change.events?.length ? change.at : null
    if (saved) this.#announce({ id, due_at: saved.due_at, event_due_at })
    return saved
  }

  async history(id: string): Promise<HistoryEntry[]> {
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
    const { dueTransactions, lease } = this.#statements
    const due = { ...account, now, limit }
    // Most claims find no row, and then need no commit.
    if (dueTransactions.get(due) === undefined) return []
    return this.#writes.add(() =>
      IdRows.parse(dueTransactions.all(due)).flatMap(({ id }) => {
        lease.run({ id, leaseUntil })
        return this.#rows.read(id) ?? []
      }),
    )
  }

  async hastenQueries(account: MerchantAccount, now: number, limit: number): Promise<number> {
    const { hasFailedQueries, hastenQueries } = this.#statements
    const hastened = await this.#writes.add(() =>
      hasFailedQueries.get({ ...account, now }) ? hastenQueries.run({ ...account, now, limit }).changes : 0,
    )
    // The ids of the changed rows are unknown.
    if (hastened > 0) this.#rows.clear()
    return Number(hastened)
  }

  async nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null> {
    const { nextTransactionDue, nextEventDue } = this.#statements
    const isRetry = queue === 'retries' ? 1 : 0
    if (queue !== 'transactions') return DueRow.parse(nextEventDue.get({ ...account, isRetry })).due
    return DueRow.parse(nextTransactionDue.get({ ...account })).due
  }

  async markOrder(account: MerchantAccount, order: string, mark: OrderMark): Promise<OrderMark> {
    const { findOrderMark, markOrder } = this.#statements
    const find = () => OrderMarkRow.optional().parse(findOrderMark.get({ ...account, order })) ?? null
    const stored = find()
    if (stored && stored.issued_at >= mark.issued_at) return stored
    await this.#writes.add(() => markOrder.run({ ...account, order, ...mark }))
    return find() ?? mark
  }

  async recoveredAt(): Promise<number | null> {
    return this.#recoveredAt
  }

  async count(account: MerchantAccount, what: Countable, limit: number): Promise<number> {
    return CountRow.parse(this.#count(account, what, limit)).waiting
  }

  watch(changed: (change: Changed) => void): () => void {
    return this.#parts.watchers.add(changed)
  }

  async ping(): Promise<void> {
    this.#parts.files.check()
    await this.#writes.add(() => this.#statements.ping.run({}))
  }

  async close(): Promise<void> {
    const { watchers, lock, database } = this.#parts
    this.#writes.flush()
    watchers.close()
    if (lock) emptyLog(database)
    database.close()
    lock?.close()
  }

  /** Inserts a row, unless its reference or attempt number is already used. Returns whether the row was inserted. */
  #insertRow(row: NewTransaction, isSingle: boolean): boolean {
    const values = valuesOf(row)
    if (this.#statements.insert.run(values).changes !== 1) return false
    const inserted = { version: 1, updated_at: row.created_at, asked_at: null, failures: 0, ...row }
    // A single row is cached, because the row is read again after its request was sent.
    if (isSingle) this.#rows.set(inserted, values.record.length)
    return true
  }

  #count(account: MerchantAccount, what: Countable, limit: number): unknown {
    const { countUndelivered, countOutcome, countDueTransactions, countDueEvents } = this.#statements
    switch (what.of) {
      case 'undelivered':
        return countUndelivered.get({ limit })
      case 'outcome':
        return countOutcome.get({ ...account, kind: what.kind, outcome: what.outcome, limit })
      case 'due': {
        const { queue, now } = what
        if (queue === 'transactions') return countDueTransactions.get({ ...account, now, limit })
        return countDueEvents.get({ ...account, isRetry: queue === 'retries' ? 1 : 0, now, limit })
      }
    }
  }

  #announce(change: Changed): void {
    this.#parts.watchers.announce(change)
  }
}

/**
 * Returns the values to insert. All fields are listed, because V8 is slower with an object that begins with a spread.
 */
function valuesOf(row: NewTransaction) {
  const { account } = row
  return {
    id: row.id,
    kind: row.kind,
    environment: account.environment,
    base_url: account.base_url,
    account_number: account.account_number,
    reference: row.reference,
    group: row.group,
    attempt: row.attempt,
    outcome: row.outcome,
    record: JSON.stringify(row.record),
    created_at: row.created_at,
    due_at: row.due_at,
    sent_at: row.sent_at,
    trace_id: row.trace_id,
  }
}

/**
 * Returns a copy of the row with the change applied.
 *
 * @param record The new record as JSON text; `null` if the record is unchanged.
 */
function changeRow(old: Transaction, change: Change, record: string | null): Transaction {
  const { at, outcome, sent_at, due_at, asked_at, failures } = change
  const renewed = record !== null || sent_at !== undefined
  return {
    ...old,
    version: renewed ? old.version + 1 : old.version,
    updated_at: renewed ? at : old.updated_at,
    record: record === null ? old.record : JSON.parse(record),
    outcome: outcome ?? old.outcome,
    sent_at: sent_at ?? old.sent_at,
    due_at: due_at === undefined ? old.due_at : due_at,
    asked_at: asked_at ?? old.asked_at,
    failures: failures ?? old.failures,
  }
}

/**
 * Moves the content of the WAL to the database file, and truncates the WAL. Otherwise, old versions of changed and
 * deleted data would remain in the WAL until the next start.
 */
function emptyLog(database: Database): void {
  try {
    database.exec(`PRAGMA busy_timeout = ${LAST_CHECKPOINT_MS}; PRAGMA wal_checkpoint(TRUNCATE)`)
  } catch {
    // The WAL stays as it is. SQLite applies the WAL when the file is opened again.
  }
}
