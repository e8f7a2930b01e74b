/** The files of a SQLite store: which there are, whose they are, and who else may read them. */

import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs'

import {
  exposureBeside,
  exposureOf,
  keepPrivate,
  problemOfOwner,
  removePermissions,
} from '../../config/private-file.ts'
import { NoStoreError } from '../errors.ts'

/** Returns whether opening the path creates a database, in a new or an empty file. */
export function isMissing(path: string): boolean {
  if (path === ':memory:') {
    return false
  }

  try {
    return !statSync(path, { throwIfNoEntry: false })?.size
  } catch {
    // SQLite reports the error when it opens the file.
    return false
  }
}

/** @throws {NoStoreError} if opening the path would create a database. */
export function refuseMissing(path: string): void {
  if (isMissing(path)) {
    throw new NoStoreError(path)
  }
}

/** The endings of the files that SQLite reads beside a database, if there are any. */
const READ_BESIDE = ['-journal', '-wal', '-shm']

/**
 * Returns the files of a store, and those that it never has, as which SQLite would read the file of a neighbour: a hot
 * journal even changes the whole store, and deletes any file that it names. Their names begin with that of the file to
 * which links lead, as SQLite's do.
 */
export function filesOf(path: string) {
  const main = existsSync(path) ? realpathSync(path) : path
  const wal = `${main}-wal`
  const shm = `${main}-shm`
  const lock = `${main}-server`
  return {
    wal,
    shm,
    lock,
    /** The files that SQLite creates beside the database, with the same permissions, and the lock of a server. */
    beside: [wal, shm, lock],
    /** A store has a WAL, and its lock is always empty: neither has a journal, and the lock has no WAL. */
    never: [`${main}-journal`, ...READ_BESIDE.map((ending) => lock + ending)],
  }
}

/** Returns who else may read, change or replace the files of a database, one sentence each. */
export function exposuresOf(path: string): string[] {
  if (path === ':memory:') {
    return []
  }

  const exposures: string[] = []
  for (const file of [path, ...filesOf(path).beside]) {
    const exposure = exposureOf(file)
    if (exposure !== null) {
      exposures.push(`${file} ${exposure}`)
    }
  }

  const ofFolder = exposureBeside(path)
  return ofFolder === null ? exposures : [...exposures, `${path} ${ofFolder}`]
}

/**
 * Claims the files of a database. Creates the database file, if it does not exist, so that only its owner may read and
 * write it and its other files.
 *
 * @throws {Error} if one of the files belongs to another user, or is one that a store never has.
 */
export function claimFiles(path: string): void {
  refuseOtherOwner(path, 'it')
  keepPrivate(path)
  for (const file of filesOf(path).beside) {
    refuseOtherOwner(file, file)
    removePermissions(file)
  }

  refuseForeignFile(path)
}

/**
 * Checks the files of a database for a reader, and changes nothing.
 *
 * @throws {Error} as {@link claimFiles} does.
 */
export function checkFiles(path: string): void {
  refuseOtherOwner(path, 'it')
  for (const file of filesOf(path).beside) {
    refuseOtherOwner(file, file)
  }

  refuseForeignFile(path)
}

function refuseOtherOwner(file: string, subject: string): void {
  const problem = problemOfOwner(file)
  if (problem !== null) {
    throw new Error(`${subject} ${problem}`)
  }
}

function refuseForeignFile(path: string): void {
  const foreign = filesOf(path).never.find((file) => lstatSync(file, { throwIfNoEntry: false }))
  if (foreign !== undefined) {
    throw new Error(
      `${foreign} is not of this store, and SQLite would write what it holds into the store. Find out who has left it, and move it away`,
    )
  }
}
