/**
 * Runs the store on a SQLite file, which only one server process may use.
 *
 * When a change resolves, it is on disk (WAL, synchronous=FULL).
 */

import type { Clock } from '../../work/clock.ts'
import type { Log } from '../../log/log.ts'
import type { Database, FileCheck } from './database.ts'
import type { Driver, Statement, Work } from '../driver.ts'
import {
  isMissing,
  lockForServer,
  migrate,
  namingFile,
  openDatabase,
  refuseMissing,
  createFileCheck,
  copiedAt,
  isBusy,
  isTransient,
} from './database.ts'
import { resolve } from 'node:path'
import { z } from 'zod'
import { SQLITE, Undone } from '../driver.ts'
import { StoreAwayError, StoreError } from '../store.ts'
import { DueRow } from '../rows.ts'
import { statementsOf } from '../statements.ts'

/** The maximum time that a statement waits inside SQLite while another process locks the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5
/** The maximum time that the checkpoint waits for other processes when the server stops, in milliseconds. */
const LAST_CHECKPOINT_MS = 1_000
/** The maximum number of announced events. The workers find all due events once they are awake. */
const MOST_ANNOUNCED = 100

const LIST_DUE = `
  SELECT transaction_id AS id, due_at AS due FROM events WHERE queue IS NOT NULL AND due_at <= $1 LIMIT $2`

const Checkpoint = z.object({ busy: z.number(), log: z.number(), checkpointed: z.number() })
const DataVersion = z.object({ data_version: z.number() })

/**
 * Opens the SQLite database at `path`, and creates its tables. The path is a file or `:memory:`.
 *
 * @param isCommand Whether a command of the CLI opens the file, instead of a server. The file accepts only one server at a
 * time, but any number of commands. A command creates no file.
 */
export function openSqlite(path: string, clock: Clock, log: Log, isCommand: boolean): Driver {
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
      return createDriver(database, lock, clock, createFileCheck(path, completeCheckpoint(database)))
    })
  } catch (error) {
    lock?.close()
    throw error
  }
}

function createDriver(database: Database, lock: Database | null, clock: Clock, files: FileCheck): Driver {
  const sql = statementsOf(SQLITE)
  const runner = createRunner(database, Object.values(sql), files.failed)
  const { run, isRead } = runner
  const commits = createCommitGroup(run, clock)
  const read = async (statement: Statement) => run(...statement)
  const foreignChanges = () => DataVersion.parse(run('PRAGMA data_version')[0]).data_version
  let seen: number | null = null
  return {
    dialect: SQLITE,
    // Promises of commits resolve in the order of the commits, without a step between: kept rows depend on this.
    query: (...statement) => (isRead(statement[0]) ? read(statement) : commits.add(() => run(...statement))),
    transaction: (work) => commits.add(() => completeOrUndo(work(), runner)),
    async expectUsable(use) {
      // What is new would be lost with a deleted file. Changes of known transactions go on: their money is on its way.
      if (use === 'insert') files.checkPresence()
      if (use === 'ping') files.check()
    },
    foreignChanges,
    // Commands commit to the file, too, while a server uses it, such as a replayed event.
    findForeign:
      lock &&
      (async () => {
        const [before, now] = [seen, foreignChanges()]
        seen = now
        if (before === null || before === now) return []
        const due = run(LIST_DUE, clock.now(), MOST_ANNOUNCED).map((row) => DueRow.parse(row))
        return due.map(({ id, due: event_due_at }) => ({ id, due_at: null, event_due_at }))
      }),
    truncateLog: async () => Checkpoint.parse(run('PRAGMA wal_checkpoint(TRUNCATE)')[0]).busy === 0,
    async close() {
      commits.flush()
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

interface Write {
  run(): void
  resolve(): void
  reject(error: unknown): void
}

/** While another process locks the file, a commit is retried up to `count` times, with pauses of `ms` milliseconds. */
const BUSY_PAUSES = { count: 500, ms: 10 }

export function createCommitGroup(run: Runner['run'], clock: Clock) {
  let waiting: Write[] = []
  let pauses = 0
  return { add, flush }

  /**
   * Runs `work` in one commit, together with all other work that is added in this turn of the event loop. Resolves when
   * the commit is durable; rejects then, if the result is {@link Undone}. After a rollback, `work` may run again, so
   * `work` must not change anything outside the database.
   */
  function add<Result>(work: () => Result | Undone): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result | Undone
      const end = () => (result instanceof Undone ? reject(result) : resolve(result))
      waiting.push({ run: () => (result = work()), resolve: end, reject })
      if (waiting.length === 1) setImmediate(flush)
    })
  }

  /**
   * Commits all waiting writes together. If this commit fails, each write is committed alone, so that an error in one
   * write does not affect the others. While another process locks the file, the commit waits outside SQLite: a wait
   * inside would block the event loop.
   */
  function flush(): void {
    const writes = waiting
    waiting = []
    if (writes.length === 0) return
    const error = commit(writes)
    if (error && isBusy(error.cause) && pauses < BUSY_PAUSES.count) {
      pauses += 1
      waiting = writes
      return void clock.sleep(BUSY_PAUSES.ms).then(flush)
    }
    pauses = 0
    if (error && writes.length === 1) return writes[0]?.reject(error.cause)
    if (error) for (const write of writes) write.reject(commit([write])?.cause)
  }

  /** Resolves the writes if they are committed. Otherwise, returns the error. */
  function commit(writes: readonly Write[]): { cause: unknown } | null {
    try {
      run('BEGIN IMMEDIATE')
    } catch (cause) {
      return { cause }
    }
    try {
      for (const write of writes) write.run()
      run('COMMIT')
    } catch (cause) {
      // After some errors, such as a full disk, SQLite has already rolled back, and this statement fails.
      ignoreErrors(() => run('ROLLBACK'))
      return { cause }
    }
    for (const write of writes) write.resolve()
    return null
  }
}

function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {}
}

type Runner = ReturnType<typeof createRunner>

type SqliteValue = string | number | null

/**
 * @param texts The statements that are prepared now, so that a wrong schema is noticed.
 * @param failed Called with each error of the driver.
 */
export function createRunner(database: Database, texts: readonly string[], failed: (cause: unknown) => void) {
  const prepared = new Map(texts.map((sql) => [sql, prepare(sql)]))
  return {
    /** Returns the rows of a statement. */
    run: (...[sql, ...values]: Statement): unknown[] => {
      try {
        return find(sql).all(values)
      } catch (cause) {
        failed(cause)
        const StoreFailure = isTransient(cause) ? StoreAwayError : StoreError
        throw new StoreFailure('The store cannot be used', { cause })
      }
    },
    /** Returns whether the statement changes nothing. */
    isRead: (sql: string) => find(sql).isRead,
  }

  function find(sql: string) {
    const known = prepared.get(sql) ?? prepare(sql)
    prepared.set(sql, known)
    return known
  }

  /** SQLite's driver has no numbered parameters, and binds named ones slowly: `$1` becomes `?`. */
  function prepare(sql: string) {
    const order: number[] = []
    const text = sql.replaceAll(/\$(\d+)/g, (_, number) => {
      order.push(Number(number) - 1)
      return '?'
    })
    const statement = database.prepare(text)
    const all = (values: readonly (SqliteValue | undefined)[]): unknown[] =>
      statement.all(...order.map((index) => values[index] ?? null))
    return { all, isRead: /^\s*(SELECT|PRAGMA)/.test(sql) }
  }
}

/** Runs the statements of the work, and returns its result. */
export function complete<Result>(work: Work<Result>, { run }: Pick<Runner, 'run'>): Result {
  let step = work.next([])
  while (!step.done) step = work.next(run(...step.value))
  return step.value
}

/** Like {@link complete}, but undoes work that throws {@link Undone}, within the transaction that others share. */
function completeOrUndo<Result>(work: Work<Result>, { run }: Pick<Runner, 'run'>): Result | Undone {
  run('SAVEPOINT work')
  try {
    const result = complete(work, { run })
    run('RELEASE work')
    return result
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    run('ROLLBACK TO work')
    return error
  }
}
