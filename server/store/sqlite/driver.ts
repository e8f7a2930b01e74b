/**
 * Runs the store on a SQLite file, which only one server process may use.
 *
 * When a change resolves, it is on disk (WAL, synchronous=FULL). The writes of one turn of the event loop share one
 * commit, because each commit waits for the disk.
 */

import { z } from 'zod'

import { migrate } from '../schema.ts'
import { statementsOf } from '../sql/statements.ts'
import { createCommitGroup } from './commit-group.ts'
import { openDatabase } from './database.ts'
import { SQLITE } from './dialect.ts'
import { namingFile } from './error.ts'
import { createFileCheck } from './file-check.ts'
import { exposuresOf, isMissing, refuseMissing } from './files.ts'
import { lockForServer } from './lock.ts'
import { complete, createRunner, inTransaction, isRead } from './runner.ts'

import type { Log } from '../../log/log.ts'
import type { Clock } from '../../work/clock.ts'
import type { Driver, Statement } from '../driver.ts'
import type { Changed } from '../transactions.ts'
import type { Database } from './database.ts'
import type { FileCheck } from './file-check.ts'
import type { Run } from './runner.ts'

/** The maximum time that a statement waits inside SQLite while another process locks the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5
/** The maximum time that the checkpoint waits for other processes when the server stops, in milliseconds. */
const LAST_CHECKPOINT_MS = 1_000
/** The maximum number of announced events. The workers find all due events once they are awake. */
const MAX_ANNOUNCED = 100

const LIST_DUE = `
  SELECT transaction_id AS id, due_at AS due FROM events WHERE queue IS NOT NULL AND due_at <= $1 LIMIT $2`

const CopiedRow = z.object({ at: z.number().nullable() })
const DueRow = z.object({ id: z.string(), due: z.number() })
const Checkpoint = z.object({ busy: z.number(), log: z.number(), checkpointed: z.number() })
const DataVersion = z.object({ data_version: z.number() })

export interface OpenOptions {
  clock: Clock
  /** Receives the place of a server's store, and lines if a SQLite file is created, or if others may read it. */
  log: Log
  /**
   * Whether a command of the CLI opens the file, instead of a server. The file accepts only one server at a time, but
   * any number of commands. A command creates no file.
   */
  isCommand: boolean
}

/** Opens the SQLite database at `path`, and creates its tables. The path is a file or `:memory:`. */
export function openSqlite(path: string, { clock, log, isCommand }: OpenOptions): Driver {
  if (isCommand) {
    refuseMissing(path)
  }

  const lock = isCommand || path === ':memory:' ? null : lockForServer(path)
  try {
    const isNew = isMissing(path)
    const database = openDatabase(path)
    return namingFile(path, () => {
      inTransaction(database, migrate(SQLITE))
      refuseCopy(database)
      // This timeout is short, because waiting inside SQLite blocks the event loop. Commits wait and retry outside
      // SQLite.
      database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
      if (isNew) {
        log.info({}, `A new, empty store was created at ${path}.`)
      }

      const exposures = isCommand ? [] : exposuresOf(path)
      for (const exposure of exposures) {
        log.warn({}, exposure)
      }

      const files = createFileCheck(path, completeCheckpoint(database))
      // All are prepared, so that a wrong schema is noticed. That of a database in memory was made a moment ago.
      const texts = path === ':memory:' ? [] : Object.values(statementsOf(SQLITE))
      const { run } = createRunner(database, texts, files.failed)
      return createDriver({ database, run, lock, clock, files })
    })
  } catch (error) {
    lock?.close()
    throw error
  }
}

interface Opened {
  database: Database
  run: Run
  /** The lock of a server; `null` for a command, and for a database in memory. */
  lock: Database | null
  clock: Clock
  files: FileCheck
}

function createDriver({ database, run, lock, clock, files }: Opened): Driver {
  const commits = createCommitGroup(run, clock)
  const read = async (statement: Statement) => run(...statement)
  let lastChanges: number | null = null
  return {
    dialect: SQLITE,
    // Promises of commits resolve in the order of the commits, without a step between (`store/sql/kept-rows.ts`).
    query: (...statement) => (isRead(statement[0]) ? read(statement) : commits.add(() => run(...statement))),
    transaction: (work) => commits.add(() => complete(work(), run)),

    async expectUsable(use) {
      // What is new would be lost with a deleted file. Changes of known transactions go on: their money is on its way.
      if (use === 'insert') {
        files.checkPresence()
      }
      if (use === 'ping') {
        files.check()
      }
    },

    foreignChanges,
    findForeign: lock === null ? null : findDueEvents,

    async truncateLog() {
      const [row] = run('PRAGMA wal_checkpoint(TRUNCATE)')
      return Checkpoint.parse(row).busy === 0
    },

    async close() {
      commits.flush()
      if (lock) {
        emptyLog(database)
      }

      database.close()
      files.close()
      lock?.close()
    },
  }

  function foreignChanges(): number {
    const [row] = run('PRAGMA data_version')
    return DataVersion.parse(row).data_version
  }

  /** Commands commit to the file, too, while a server uses it: they replay an event, for example. */
  async function findDueEvents(): Promise<Changed[]> {
    const before = lastChanges
    const changes = foreignChanges()
    lastChanges = changes
    if (before === null || before === changes) {
      return []
    }

    const rows = run(LIST_DUE, clock.now(), MAX_ANNOUNCED)
    return rows.map((row) => {
      const { id, due } = DueRow.parse(row)
      return { id, due_at: null, event_due_at: due }
    })
  }
}

/** Completes a checkpoint that a crash interrupted. Returns `false` if another process prevents the completion. */
function completeCheckpoint(database: Database): boolean {
  const { log, checkpointed } = Checkpoint.parse(database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get())
  return log === checkpointed
}

/** @throws {Error} if the file is a backup that was not recovered. */
function refuseCopy(database: Database): void {
  const copied = database.prepare(`SELECT max(value) AS at FROM marks WHERE name = 'copied'`).get()
  const { at } = CopiedRow.parse(copied)
  if (at === null) {
    return
  }

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
