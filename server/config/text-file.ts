/** Reads the text files of an operator: `.env`, secrets, and the bodies of commands. */

import { readFileSync, statSync } from 'node:fs'

/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark, which PowerShell writes.
 *
 * @throws {Error} with a `code`, if the file cannot be read or has another encoding.
 */
export function readTextFile(path: string): string {
  const bytes = readFileSync(path)
  const encoding = encodingOf(bytes)
  const text = decode(bytes, encoding)
  if (text === null) throw unreadable(`its encoding is not ${encoding}; save it as UTF-8`)
  if (text.includes('\0'))
    throw unreadable('its encoding is UTF-16 or UTF-32 without a byte order mark; save it as UTF-8')
  return text
}

/** Returns an error with what is wrong in `code`. A secret read wrongly would be refused as a wrong one. */
function unreadable(code: string): Error {
  return Object.assign(new Error(`The file cannot be read: ${code}.`), { code })
}

/**
 * Returns whether every user may read a file that belongs to the user of this process. A file of another user, such as a
 * secret that a container mounts, is not this user's to protect. Windows has no such permissions.
 */
export function isReadByAll(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.uid === process.getuid?.() && (found.mode & 0o004) !== 0
}

function encodingOf([first, second]: Uint8Array): 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' {
  if (first === 0xff && second === 0xfe) return 'UTF-16LE'
  return first === 0xfe && second === 0xff ? 'UTF-16BE' : 'UTF-8'
}

/** Returns the text without its byte order mark; `null` if the bytes are not of this encoding. */
function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
