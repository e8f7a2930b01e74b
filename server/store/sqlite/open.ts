import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Store } from '../../store.ts'
import type { Database } from './database.ts'
import { resolve } from 'node:path'
import { z } from 'zod'
import { SqliteStore } from '../sqlite.ts'
import { FileCheck } from './file-check.ts'
import { isMissing, lockForServer, namingFile, openDatabase, refuseMissing } from './database.ts'
import { migrate } from './migrate.ts'
import { copiedAt } from './recover.ts'

/** The maximum time that a statement waits inside SQLite while another process locks the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5

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
      return new SqliteStore(database, lock, clock, new FileCheck(path, completeCheckpoint(database)))
    })
  } catch (error) {
    lock?.close()
    throw error
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
