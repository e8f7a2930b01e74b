/** Opens SQLite files, with node:sqlite or with a compatible package if Node lacks this module. */

import { createRequire } from 'node:module'
import { z } from 'zod'

import { optionalDependencies } from '../../package.json'
import { NoDriverError } from '../errors.ts'
import { namingFile } from './error.ts'
import { checkFiles, claimFiles } from './files.ts'
import { hasWal, refuseForeignWal } from './header.ts'

import type * as Package from '@photostructure/sqlite'

type Sqlite = typeof Package
export type Database = Package.DatabaseSyncInstance

/** An optional package with the API of `node:sqlite`, for Node 20. Postgres does not need it. */
const PACKAGE = '@photostructure/sqlite'
const PACKAGE_VERSION = optionalDependencies[PACKAGE]

/** The maximum time that a statement waits while another process locks the file, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000

const JournalMode = z.object({ journal_mode: z.string() })

export function openDatabase(path: string, { readOnly = false } = {}): Database {
  const { DatabaseSync } = loadSqlite()
  return namingFile(path, () => {
    const isFile = path !== ':memory:'
    if (isFile && readOnly) {
      checkFiles(path)
    } else if (isFile) {
      claimFiles(path)
    }
    if (isFile) {
      refuseForeignWal(path)
    }

    const isChangedToWal = isFile && !hasWal(path)
    const database = new DatabaseSync(path, { readOnly })
    database.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
    if (readOnly) {
      return database
    }

    // `secure_delete` overwrites deleted content with zeros.
    database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON')
    if (isChangedToWal) {
      // Otherwise the change has a journal in a file, which a crash would leave, and which is then refused.
      database.exec('PRAGMA journal_mode = MEMORY')
    }

    const { journal_mode: mode } = JournalMode.parse(database.prepare('PRAGMA journal_mode = WAL').get())
    if (mode !== 'wal' && mode !== 'memory') {
      throw new Error('its file system cannot share memory, which WAL needs. Move it to a local disk')
    }
    return database
  })
}

/** @throws {NoDriverError} */
export function loadSqlite(): Sqlite {
  const builtIn = process.getBuiltinModule('node:sqlite')
  if (builtIn) {
    return builtIn as Sqlite
  }

  try {
    return createRequire(import.meta.url)(PACKAGE) as Sqlite
  } catch (cause) {
    throw new NoDriverError(
      `Node ${process.versions.node} cannot open SQLite files without the package ${PACKAGE}, which is not installed or has no build for this machine. Install it (npm install ${PACKAGE}@${PACKAGE_VERSION}), use Node 22.13 or newer, name gateway-checkout-server in the bundler's list of external packages (Next: serverExternalPackages), or set STORE_URL to a Postgres database (postgres://…)`,
      { cause },
    )
  }
}
