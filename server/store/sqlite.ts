/**
 * Stores transactions in a SQLite file, which only one server process may use.
 *
 * When `commit` resolves, the change is on disk (WAL, synchronous=FULL). Only changes for which `isLosable` returns
 * true may be written later. The store keeps a reference to the database handle, because the driver fails if the handle
 * is garbage-collected before its statements.
 */

import type {
  Change,
  Changed,
  EventQueue,
  MerchantAccount,
  ListQuery,
  NewTransaction,
  Store,
  Transaction,
} from '../store.ts'
import type { Clock } from '../clock.ts'
import type { Database } from './sqlite/database.ts'
import type { FileCheck } from './sqlite/file-check.ts'
import { isLosable } from '../store.ts'
import { CommitGroup } from './sqlite/commit-group.ts'
import { createHastening } from './sqlite/hasten.ts'
import { insertRow } from './sqlite/insert.ts'
import { createOperations } from './sqlite/operations.ts'
import { createMasking } from './sqlite/masking.ts'
import { createMarkOrder } from './sqlite/order-marks.ts'
import { addEvents, createOutbox } from './sqlite/outbox.ts'
import { createRetention } from './sqlite/retention.ts'
import { RowCache } from './sqlite/row-cache.ts'
import {
  changeRow,
  CountRow,
  DataVersionRow,
  DueRow,
  HistoryRows,
  IdRows,
  Row,
  Rows,
  SizeRow,
} from './sqlite/rows.ts'
import { prepareStatements } from './sqlite/statements.ts'
import { Watchers } from './sqlite/watchers.ts'

/** The maximum number of rows whose changes are kept only in memory. */
const MAX_NOTED = 1_000

export class SqliteStore implements Store {
  readonly listEnded: Store['listEnded']
  readonly prune: Store['prune']
  readonly listTombstones: Store['listTombstones']
  readonly recoveredAt: Store['recoveredAt']
  readonly listUnmasked: Store['listUnmasked']
  readonly listEventsOf: Store['listEventsOf']
  readonly mask: Store['mask']
  readonly findMentioning: Store['findMentioning']
  readonly truncateLog: Store['truncateLog']
  readonly markOrder: Store['markOrder']
  readonly count: Store['count']
  readonly ping: Store['ping']
  readonly hastenQueries: Store['hastenQueries']
  readonly hastenRetries: Store['hastenRetries']
  readonly claimEvents: Store['claimEvents']
  readonly finishEvent: Store['finishEvent']
  readonly listEvents: Store['listEvents']
  readonly findEvent: Store['findEvent']
  readonly replayEvent: Store['replayEvent']
  readonly #database: Database
  readonly #lock: Database | null
  readonly #files: FileCheck
  readonly #statements
  readonly #writes: CommitGroup
  readonly #rows
  /** Changed rows by id, kept only in memory until the next commit. A crash loses these changes. */
  readonly #noted = new Map<string, Transaction>()
  readonly #watchers: Watchers

  constructor(database: Database, lock: Database | null, clock: Clock, files: FileCheck) {
    this.#database = database
    this.#lock = lock
    this.#files = files
    this.#statements = prepareStatements(database, (cause) => files.failed(cause))
    this.#watchers = new Watchers(this.#statements, clock, lock !== null)
    this.#rows = new RowCache(() => DataVersionRow.parse(this.#statements.dataVersion.get({})).data_version)
    this.#writes = new CommitGroup(
      this.#statements,
      () => (this.#rows.recheck(), this.#writeNoted()),
      () => this.#rows.clear(),
      clock,
    )
    const retention = createRetention(this.#statements, this.#writes, (id) => this.#rows.delete(id))
    ;({ listEnded: this.listEnded, prune: this.prune } = retention)
    ;({ listTombstones: this.listTombstones, recoveredAt: this.recoveredAt } = retention)
    const masking = createMasking(this.#statements, this.#writes, {
      read: (id) => this.#read(id),
      update: (row, record, was) => {
        this.#update(row, record, was)
        this.#rows.set(row, record.length)
      },
    })
    ;({ listUnmasked: this.listUnmasked, listEventsOf: this.listEventsOf, mask: this.mask } = masking)
    ;({ findMentioning: this.findMentioning, truncateLog: this.truncateLog } = masking)
    this.markOrder = createMarkOrder(this.#statements, this.#writes)
    const hastening = createHastening(this.#statements, this.#writes, () => this.#rows.clear())
    ;({ hastenQueries: this.hastenQueries, hastenRetries: this.hastenRetries } = hastening)
    const outbox = createOutbox(this.#statements, this.#writes, (change) => this.#announce(change))
    ;({ claimEvents: this.claimEvents, finishEvent: this.finishEvent } = outbox)
    ;({ listEvents: this.listEvents, replayEvent: this.replayEvent } = outbox)
    this.findEvent = outbox.findEvent
    ;({ count: this.count, ping: this.ping } = createOperations(this.#statements, this.#writes, files))
  }

  async insert(...transactions: NewTransaction[]): Promise<boolean> {
    // What is new would be lost with a deleted file. Changes of known transactions go on: their money is on its way.
    this.#files.checkPresence()
    const { insert, save, undo } = this.#statements
    const isNew = await this.#writes.add(() => {
      // A single row needs no savepoint, because a refused insert changes nothing.
      const isSingle = transactions.length === 1
      if (!isSingle) save.run({})
      // A single row is cached, because the row is read again after its request was sent.
      const rows = isSingle ? this.#rows : null
      const inserted = transactions.every((row) => insertRow(insert, row, rows))
      if (!inserted && !isSingle) undo.run({})
      return inserted
    })
    if (isNew) for (const { id, due_at } of transactions) this.#announce({ id, due_at, event_due_at: null })
    return isNew
  }

  async find(id: string): Promise<Transaction | null> {
    return this.#read(id)
  }

  async findByReference(
    account: MerchantAccount,
    kind: Transaction['kind'],
    reference: string,
  ): Promise<Transaction | null> {
    const row = this.#statements.findByReference.get({ ...account, kind, reference })
    return row === undefined ? null : this.#latest(Row.parse(row))
  }

  async list(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Transaction[]> {
    return Rows.parse(this.#statements.list.all({ ...account, kind, group })).map((row) => this.#latest(row))
  }

  async search(
    account: MerchantAccount,
    kind: Transaction['kind'],
    query: ListQuery,
  ): Promise<Transaction[]> {
    const { outcome, updatedSince = 0, after = { updated_at: -1, id: '' }, limit } = query
    const values = { ...account, kind, updatedSince, ...after, limit }
    const { search, searchOutcome } = this.#statements
    const rows = outcome === undefined ? search.all(values) : searchOutcome.all({ ...values, outcome })
    return Rows.parse(rows).map((row) => this.#latest(row))
  }

  async commit(id: string, version: number, change: Change): Promise<Transaction | null> {
    if (isLosable(change)) return this.#note(id, version, change)
    const saved = await this.#writes.add(() => {
      const old = this.#read(id)
      if (old?.version !== version) return null
      const record = change.record === undefined ? null : JSON.stringify(change.record)
      const row = changeRow(old, change, record)
      if (!this.#update(row, record, version)) return null
      if (change.historyEntry)
        this.#statements.addHistory.run({ id, at: change.at, what: change.historyEntry })
      addEvents(this.#statements, row, change)
      this.#rows.set(row, record?.length ?? 0)
      return row
    })
    const event_due_at = change.events?.length ? change.at : null
    if (saved) this.#announce({ id, due_at: saved.due_at, event_due_at })
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
    const { dueTransactions, lease } = this.#statements
    const due = { ...account, now, limit }
    // Most claims find no row, and then need no commit.
    if (this.#noted.size === 0 && dueTransactions.get(due) === undefined) return []
    return this.#writes.add(() =>
      IdRows.parse(dueTransactions.all(due)).flatMap(({ id }) => {
        lease.run({ id, leaseUntil })
        return this.#read(id) ?? []
      }),
    )
  }

  async nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null> {
    const { nextTransactionDue, nextEventDue } = this.#statements
    const isRetry = queue === 'retries' ? 1 : 0
    if (queue !== 'transactions') return DueRow.parse(nextEventDue.get({ ...account, isRetry })).due
    if (this.#noted.size > 0) await this.#writes.add(() => {})
    return DueRow.parse(nextTransactionDue.get({ ...account })).due
  }

  watch(changed: (change: Changed) => void): () => void {
    return this.#watchers.add(changed)
  }

  async close(): Promise<void> {
    this.#writes.flush()
    if (this.#noted.size > 0) this.#writeNoted()
    this.#watchers.close()
    if (this.#lock) emptyLog(this.#database)
    this.#database.close()
    this.#lock?.close()
  }

  #note(id: string, version: number, change: Change): Transaction | null {
    const old = this.#read(id)
    if (old?.version !== version) return null
    const row = changeRow(old, change, null)
    this.#noted.set(id, row)
    this.#rows.replace(row)
    // An empty commit writes all rows that are kept in memory. Usually an earlier commit has written them.
    if (this.#noted.size === MAX_NOTED) this.#writes.add(() => {}).catch(() => {})
    this.#announce({ id, due_at: row.due_at, event_due_at: null })
    return row
  }

  /** Writes the rows in `#noted`, except rows whose stored version has changed meanwhile. */
  #writeNoted(): void {
    for (const row of this.#noted.values()) this.#update(row, null, row.version)
    this.#noted.clear()
  }

  /** Writes the row if the stored version equals `was`. Returns whether the row was written. */
  #update(row: Transaction, record: string | null, was: number): boolean {
    const { id, version, outcome, updated_at, due_at, sent_at, asked_at, failures } = row
    const values = { id, was, version, outcome, record, updated_at, due_at, sent_at, asked_at, failures }
    return this.#statements.update.run(values).changes === 1
  }

  /** Returns the newer row from `#noted` if it has the same version; otherwise `row`. */
  #latest(row: Transaction): Transaction {
    const noted = this.#noted.get(row.id)
    return noted?.version === row.version ? noted : row
  }

  #read(id: string): Transaction | null {
    const noted = this.#noted.get(id)
    if (noted) return noted
    const cached = this.#rows.get(id)
    if (cached) return cached
    const found = this.#statements.find.get({ id })
    if (found === undefined) return null
    const row = Row.parse(found)
    this.#rows.set(row, SizeRow.parse(found).characters)
    return row
  }

  #announce(change: Changed): void {
    this.#watchers.announce(change)
  }
}

/** The maximum time that the checkpoint waits for other processes when the server stops, in milliseconds. */
const LAST_CHECKPOINT_MS = 1_000

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
