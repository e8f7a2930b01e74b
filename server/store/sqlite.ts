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
import type { Change, Changed, NewTransaction, Store, Transaction } from '../store.ts'
import type { Database } from './sqlite/database.ts'
import type { Statements } from './sqlite/statements.ts'
import { PromptLimitError } from '../limits/prompts.ts'
import { createReads } from './reads.ts'
import { IdRows, MarksRow, MerchantRow } from './rows.ts'
import { CommitGroup } from './sqlite/commit-group.ts'
import { isMissing, lockForServer, namingFile, openDatabase, refuseMissing } from './sqlite/database.ts'
import { FileCheck } from './sqlite/file-check.ts'
import { addEvents, createOutbox } from './sqlite/outbox.ts'
import { copiedAt } from './sqlite/recover.ts'
import { createRetention } from './sqlite/retention.ts'
import { RowCache } from './sqlite/row-cache.ts'
import { migrate } from './sqlite/schema.ts'
import { positional, prepareStatements } from './sqlite/statements.ts'
import { Watchers } from './sqlite/watchers.ts'

/** The maximum time that a statement waits inside SQLite while another process locks the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5
/** The maximum time that the checkpoint waits for other processes when the server stops, in milliseconds. */
const LAST_CHECKPOINT_MS = 1_000

/** The fields of a new transaction that `insert` does not name. */
const NEW = { version: 1, asked_at: null, requested_at: null, failures: 0 }

const Checkpoint = z.object({ log: z.number(), checkpointed: z.number() })

interface SqliteOptions {
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
  const announce = (change: Changed) => watchers.announce(change)
  // Read once, because the command `recover` runs only while no server is running.
  const marks = MarksRow.parse(statements.marks.get({}))
  const reads = createReads(
    async (name, values) => statements[name].all(positional(values)),
    (name, values) => writes.add(() => statements[name].run(positional(values))),
  )
  return {
    ...reads,
    ...createOutbox(statements, writes, announce),
    ...createRetention(statements, writes, rows),
    async insert(...transactions) {
      // What is new would be lost with a deleted file. Changes of known transactions go on: their money is on its way.
      files.checkPresence()
      const isNew = orThrow(await writes.add(() => insertAll(statements, rows, transactions)))
      if (isNew) for (const { id, due_at } of transactions) announce({ id, due_at, event_due_at: null })
      return isNew
    },

    find: async (id) => rows.read(id),

    async commit(id, version, change) {
      const saved = await writes.add(() => commitRow(statements, rows, rows.read(id), version, change))
      const event_due_at = change.events?.length ? change.at : null
      if (saved) announce({ id, due_at: saved.due_at, event_due_at })
      return saved
    },

    async claimTransactions(account, now, leaseUntil, limit) {
      const { dueTransactions, lease } = statements
      const due = { account, now, limit }
      // Most claims find no row, and then need no commit.
      if (dueTransactions.get(due) === undefined) return []
      return writes.add(() =>
        IdRows.parse(dueTransactions.all(due)).flatMap(({ id }) => {
          lease.run({ id, leaseUntil })
          return rows.read(id) ?? []
        }),
      )
    },

    async hastenQueries(account, now, limit) {
      const hastened = await writes.add(() => statements.hastenQueries.run({ account, now, limit }).changes)
      // The ids of the changed rows are unknown.
      if (hastened > 0) rows.clear()
      return Number(hastened)
    },

    async bringForward(account, now, leaseUntil) {
      await writes.add(() => statements.bringForward.run({ account, now, leaseUntil }))
      rows.clear()
    },

    admit: (...merchant) => writes.add(() => admit(statements, ...merchant)),
    marks: async () => marks,
    watch: (changed) => watchers.add(changed),
    async ping() {
      files.check()
      await writes.add(() => statements.ping.run({}))
    },
    async close() {
      writes.flush()
      watchers.close()
      if (lock) emptyLog(database)
      database.close()
      lock?.close()
    },
  }
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

function admit(
  { findMerchant, saveMerchant }: Statements,
  ...[account, numbers, isAdoption = false]: Parameters<Store['admit']>
): string[] {
  const found = findMerchant.get(positional([account])) ?? { numbers: '[]' }
  const { numbers: known } = MerchantRow.parse(found)
  const isSame = known.some((number) => numbers.includes(number))
  if (known.length > 0 && !isSame && !isAdoption) return known
  const all = isSame ? [...new Set([...known, ...numbers])] : [...numbers]
  saveMerchant.run({ account, numbers: JSON.stringify(all) })
  return all
}

function commitRow(
  statements: Statements,
  rows: RowCache,
  old: Transaction | null,
  version: number,
  change: Change,
): Transaction | null {
  if (old?.version !== version) return null
  const record = change.record === undefined ? null : JSON.stringify(change.record)
  const row = changeRow(old, change, record)
  if (!rows.write(row, record, version)) return null
  const { at, historyEntry: what } = change
  if (what) statements.addHistory.run({ id: row.id, at, what })
  addEvents(statements, row, change)
  return row
}

/**
 * Inserts all rows or, if a reference or an attempt number is already used, none. Returns whether it has, or an error if
 * a prompt exceeds a limit.
 */
function insertAll(
  { insert, forgetPrompts, addPrompt, save, undo }: Statements,
  rows: RowCache,
  transactions: readonly NewTransaction[],
): boolean | PromptLimitError {
  const [first, ...others] = transactions
  const isSingle = others.length === 0
  // A single row without a prompt needs no savepoint, because a refused insert changes nothing.
  const isAlone = isSingle && !first?.asked
  let limited: PromptLimitError | null = null
  if (!isAlone) save.run({})
  const isInserted = transactions.every(({ alike, asked, ...row }) => {
    const { account, group, created_at } = row
    if (asked) {
      forgetPrompts.run(positional([account, created_at]))
      const prompt = [account, asked.phone, asked.network, group, created_at]
      if (addPrompt.get(positional(prompt)) === undefined) limited = new PromptLimitError()
    }
    const record = JSON.stringify(row.record)
    if (limited || insert.run({ ...row, alike: alike ?? group, record }).changes !== 1) return false
    // A single row is cached, because the row is read again after its request was sent.
    if (isSingle) rows.set({ ...NEW, updated_at: created_at, ...row }, record.length)
    return true
  })
  if (!isInserted && !isAlone) undo.run({})
  return limited ?? isInserted
}

/** An error is thrown only outside of the commit, which others share. */
function orThrow(inserted: boolean | PromptLimitError): boolean {
  if (typeof inserted === 'object') throw inserted
  return inserted
}

/**
 * Returns a copy of the row with the change applied.
 *
 * @param record The new record as JSON text; `null` if the record is unchanged.
 */
function changeRow(old: Transaction, change: Change, record: string | null): Transaction {
  const { at, outcome, sent_at, due_at, asked_at, requested_at, failures } = change
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
    requested_at: requested_at ?? old.requested_at,
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
