/**
 * Limits the connections to the server by the files that its process may open: each connection is one, and so is each
 * connection to the gateway, to the merchant's backend and to the store. Without one for those, every start fails, while
 * connections are accepted.
 */

import { readFileSync } from 'node:fs'

import { MAX_CONNECTIONS as MAX_PER_ORIGIN } from '../http/pooled-fetch.ts'

/** The maximum number of open connections to the server, enough for 10,000 event streams and 10,000 other requests. */
export const MAX_CONNECTIONS = 20_000

/** The files for the gateway, the backend, and some hundred others, such as those of the store. At most half of all. */
const RESERVED_FILES = 2 * MAX_PER_ORIGIN + 256

/** @param openFiles The number of files that the process may have open; `null` if the system does not tell it. */
export function connectionsWith(openFiles: number | null): number {
  if (openFiles === null) {
    return MAX_CONNECTIONS
  }

  const reserved = Math.min(RESERVED_FILES, Math.ceil(openFiles / 2))
  return Math.min(MAX_CONNECTIONS, openFiles - reserved)
}

/** Returns the number of files that this process may have open (`ulimit -n`); `null` where the system does not tell it. */
export function readOpenFilesLimit(): number | null {
  const [, soft] = /^Max open files +(\d+)/m.exec(readLimits()) ?? []
  return soft === undefined ? null : Number(soft)
}

/** The limits of a process are a file on Linux alone. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
