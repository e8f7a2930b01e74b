/**
 * Errors of SQLite: what they say, completed with the file and with advice, and whether a later attempt may succeed.
 */

import { z } from 'zod'

import { StoreAwayError, StoreError } from '../errors.ts'

/** Explanation and advice for error messages, by SQLite's primary result code. */
const ADVICE: Readonly<Record<number, string>> = {
  1: 'its tables are not those of its version: it was migrated by halves or changed by another program. Restore a backup, or use another STORE_URL',
  5: 'another process has locked it. End that process, and try again',
  8: 'it is read-only. Let the user of this process write the file and its folder',
  11: 'it is damaged. Restore a backup, and run "gateway-checkout-server recover"',
  13: 'the disk is full',
  14: 'it cannot be opened. Its folder has to exist, and the user of this process has to be able to write in it',
  26: 'it is not a database. Correct STORE_URL',
}
const BUSY = 5
const FULL = 13
const DriverError = z.object({ errcode: z.number().optional(), message: z.string() })
/** The messages of the codes on which a decision depends: the package for Node 20 leaves the code out at times. */
const CODES: Readonly<Record<string, number>> = {
  'database is locked': BUSY,
  'database or disk is full': FULL,
}

/** Returns the result of `work`. Adds the file's path and advice to errors, because SQLite's messages contain neither. */
export function namingFile<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const code = primaryCodeOf(cause)
    const reason = cause instanceof Error ? cause.message : String(cause)
    const sentence = `${path}: ${ADVICE[code] ?? reason}`
    if (isTransient(cause)) {
      throw new StoreAwayError(sentence, { cause })
    }
    throw new Error(sentence, { cause })
  }
}

/** Returns whether the error means that another process has locked the file. */
export function isBusy(error: unknown): boolean {
  return primaryCodeOf(error) === BUSY
}

/** Returns whether a later attempt may succeed: another process has locked the file, or the disk is full. */
export function isTransient(error: unknown): boolean {
  return [BUSY, FULL].includes(primaryCodeOf(error))
}

/**
 * Returns SQLite's primary result code, which is the lowest byte of an error's extended result code. Returns 0 if the
 * error has no result code.
 */
function primaryCodeOf(error: unknown): number {
  const { data } = DriverError.safeParse(error instanceof StoreError ? error.cause : error)
  if (!data) {
    return 0
  }

  const code = data.errcode ?? CODES[data.message] ?? 0
  return code & 0xff
}
