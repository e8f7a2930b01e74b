/**
 * Files that are nobody else's: the store, `.env`, and secrets. Another owner can change a file, and modes say who else
 * may read it. Windows has neither.
 */

import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs'

import type { Stats } from 'node:fs'

/** The file mode that lets only the owner read and write. */
const OWNER_ONLY = 0o600
const GROUP = 0o060
const EVERYBODY = 0o006
/** The user who can change every file anyway. */
const ROOT = 0

/**
 * Returns why a file is not to be used: another user can change it. Files of root are accepted, and root may use every
 * file. `null` if the file may be used, or does not exist.
 */
export function problemOfOwner(path: string): string | null {
  const file = statOf(path)
  const user = process.geteuid?.()
  if (!file || user === undefined || [user, ROOT].includes(file.uid) || user === ROOT) {
    return null
  }
  return `belongs to user ${file.uid}, who can change it, and this process runs as user ${user}: give it to user ${user} (chown), or name a file of that user`
}

/**
 * Creates a file that only its owner may read and write, or takes the permissions of others from an existing one. A
 * volume may not let its modes change: {@link exposureOf} names what is left.
 */
export function keepPrivate(path: string): void {
  if (existsSync(path)) {
    return removePermissions(path)
  }
  try {
    closeSync(openSync(path, 'a', OWNER_ONLY))
  } catch {
    // Who opens the file next reports the error.
  }
}

/** Takes the permissions of others from a file, if it exists and this user may. */
export function removePermissions(path: string): void {
  try {
    chmodSync(path, OWNER_ONLY)
  } catch {
    // The file does not exist, or belongs to root.
  }
}

/** Returns who else may read or change a file, as the end of a sentence that its path begins; `null` if nobody may. */
export function exposureOf(path: string): string | null {
  const file = statOf(path)
  const user = process.geteuid?.()
  if (!file || user === undefined) {
    return null
  }
  if ((file.mode & EVERYBODY) !== 0) {
    return 'may be read or changed by every user of this machine: chmod 600.'
  }
  if ((file.mode & GROUP) !== 0) {
    return `may be read or changed by its group (${file.gid}), and its volume keeps these permissions.`
  }
  return user === ROOT && file.uid !== ROOT
    ? `belongs to user ${file.uid}, who can change it, and this process runs as root.`
    : null
}

/**
 * Returns whether every user may read a file. The permissions of a file of another user, such as a secret that a
 * container mounts, are not this user's to change: they count only if the user is root.
 */
export function isReadableByAll(path: string): boolean {
  const file = statOf(path)
  const user = process.geteuid?.()
  return (
    file !== undefined && user !== undefined && [user, ROOT].includes(file.uid) && (file.mode & 0o004) !== 0
  )
}

/** Returns `undefined` also for a file in a folder that this user may not enter: who opens it reports the error. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
