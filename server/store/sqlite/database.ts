/**
 * Opens a SQLite file through the API of node:sqlite, from Node where available, otherwise from a compatible package.
 */

import type * as Package from '@photostructure/sqlite'
import { createRequire } from 'node:module'

type Sqlite = typeof Package

/** How long a statement waits for another process's lock on the file, in milliseconds. */
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

/** Adds the path to errors: SQLite's messages do not name the file. */
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
