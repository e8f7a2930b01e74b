/**
 * Files that are nobody else's: the store, `.env`, and secrets. Who owns a file, a link on the way to it, or a folder above
 * either can put another file in its place; modes say who else may read or change it. Windows has neither.
 */

import {
  chmodSync,
  closeSync,
  existsSync,
  fchownSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, resolve } from 'node:path'

import type { Stats } from 'node:fs'

/** The file mode that lets only the owner read and write. */
const OWNER_ONLY = 0o600
const GROUP = 0o060
const EVERYBODY = 0o006
const WRITE = 0o222
/** In a folder with this bit, users can only rename and delete files of their own. */
const STICKY = 0o1000
/** The user who can change every file anyway. */
const ROOT = 0
/** The most links that lead to one file. Linux follows as many. */
const MAX_LINKS = 40

/**
 * Returns why a file is not to be used: another user owns it, a link on the way to it, or a folder above these. What root
 * owns is accepted, and root may use every file. `null` if the file may be used; without a file, only its folders count.
 */
export function problemOfOwner(path: string): string | null {
  const user = process.geteuid?.()
  if (user === undefined || user === ROOT) {
    return null
  }

  const cure = `and this process runs as user ${user}: give it to user ${user} (chown), or name a file of that user`
  for (const { file, stats, isFolder } of stepsTo(path)) {
    if (![user, ROOT].includes(stats.uid)) {
      const subject = file === resolve(path) ? '' : `is reached by ${file}, which `
      return `${subject}belongs to user ${stats.uid}, who can ${isFolder ? 'replace what is in it' : 'change it'}, ${cure}`
    }
  }

  return null
}

/** Like {@link problemOfOwner}, for a file whose modes this process leaves alone: others may not write to it, either. */
export function problemOfFile(path: string): string | null {
  const file = statOf(path)
  const user = process.geteuid?.()
  const problem = problemOfOwner(path)
  if (problem !== null || !file || user === undefined) {
    return problem
  }

  const isOfOtherGroup = user !== ROOT && file.gid !== process.getegid?.()
  const others = (isOfOtherGroup ? GROUP : 0) | EVERYBODY
  return (file.mode & others & WRITE) !== 0
    ? `may be changed by ${(file.mode & EVERYBODY & WRITE) === 0 ? `its group (${file.gid})` : 'every user of this machine'}: chmod 600`
    : null
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

/**
 * Creates a file that only its owner may read and write. If root creates it, it belongs to the owner of the file `beside`
 * it, as SQLite does with the files beside a database. Only a new file is given away: the owner of the folder could have
 * put a link to any other file in its place.
 *
 * @throws {Error} if the file exists, or cannot be created.
 */
export function createBeside(beside: string, path: string): void {
  const file = openSync(path, 'wx', OWNER_ONLY)
  try {
    if (process.geteuid?.() === ROOT) {
      const { uid, gid } = statSync(beside)
      fchownSync(file, uid, gid)
    }
  } finally {
    closeSync(file)
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
 * Returns who else may replace a file by means of a folder, or put files beside it. For a file of which a program reads
 * others beside it, by their names: the sticky bit of its folder keeps nobody from creating these.
 */
export function exposureBeside(path: string): string | null {
  const replaceable = exposureOfFolder(path)
  const folder = stepsTo(path).findLast(({ isFolder }) => isFolder)
  if (replaceable !== null || !folder) {
    return replaceable
  }

  const writers = othersWhoWrite(folder.stats)
  return writers === null
    ? null
    : `is in ${folder.file}, where ${writers} may put files beside it: give it a folder of its own.`
}

/**
 * Returns what is to be said about a file whose modes this process leaves alone: every user may read it, its group may
 * change it, or every user may put another one in its place. Read permissions of a file of another user, such as a secret
 * that a container mounts, are not this user's to change: they count only if the user is root.
 */
export function warningOf(path: string): string | null {
  const file = statOf(path)
  const user = process.geteuid?.()
  if (!file || user === undefined) {
    return null
  }
  if ([user, ROOT].includes(file.uid) && (file.mode & EVERYBODY) !== 0) {
    return 'may be read by every user of this machine: chmod 600.'
  }

  return (file.mode & GROUP & WRITE) === 0
    ? exposureOfFolder(path)
    : `may be changed by its group (${file.gid}): chmod 600.`
}

/**
 * In a folder with the sticky bit, only its owner and that of a file can put another file in its place: `problemOfOwner`
 * refuses other owners.
 */
function exposureOfFolder(path: string): string | null {
  for (const { file, stats, isFolder } of stepsTo(path)) {
    const writers = isFolder && (stats.mode & STICKY) === 0 ? othersWhoWrite(stats) : null
    if (writers !== null) {
      return `may be replaced by ${writers}, who may write to ${file}: chmod 755 the folder.`
    }
  }

  return null
}

/** Returns who may write to a folder besides its owner and the group of this process; `null` if nobody may. */
function othersWhoWrite({ mode, gid }: Stats): string | null {
  const group = process.getegid?.()
  if (group === undefined) {
    return null
  }
  if ((mode & EVERYBODY & WRITE) !== 0) {
    return 'every user of this machine'
  }
  return (mode & GROUP & WRITE) !== 0 && gid !== group ? `the group ${gid}` : null
}

interface Step {
  file: string
  stats: Stats
  isFolder: boolean
}

/** Returns every folder and link on the way to a file, from the root of the file system, and the file, as far as they exist. */
function stepsTo(path: string, links = 0): Step[] {
  const file = resolve(path)
  const folder = dirname(file)
  const above = folder === file ? [] : stepsTo(folder, links)
  const stats = statOf(file, lstatSync)
  if (!stats) {
    return above
  }

  const steps = [...above, { file, stats, isFolder: stats.isDirectory() }]
  if (!stats.isSymbolicLink() || links === MAX_LINKS) {
    return steps
  }
  return [...steps, ...stepsTo(resolve(realpathSync(folder), readlinkSync(file)), links + 1)]
}

/** Returns `undefined` also for a file in a folder that this user may not enter: who opens it reports the error. */
function statOf(path: string, stat = statSync): Stats | undefined {
  try {
    return stat(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
