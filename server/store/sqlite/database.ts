/** Opens a SQLite file through node:sqlite's API: Node's own where it has it, else the package with the same API. */

import type * as Package from '@photostructure/sqlite'
import { createRequire } from 'node:module'

type Sqlite = typeof Package

/** How long a second process may hold the file before a statement gives up. */
const BUSY_TIMEOUT_MS = 5_000

export function openDatabase(path: string): Package.DatabaseSyncInstance {
  const { DatabaseSync } = loadSqlite()
  const database = open(() => new DatabaseSync(path), path)
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS};
  `)
  return database
}

/** SQLite's error messages do not name the file. */
function open<Database>(database: () => Database, path: string): Database {
  try {
    return database()
  } catch (cause) {
    throw new Error(`${path}: ${cause instanceof Error ? cause.message : 'it cannot be opened'}`, { cause })
  }
}

function loadSqlite(): Sqlite {
  const builtIn = process.getBuiltinModule('node:sqlite')
  // The package has node:sqlite's API, and also runs on Node 20.
  return (builtIn ?? createRequire(import.meta.url)('@photostructure/sqlite')) as Sqlite
}
