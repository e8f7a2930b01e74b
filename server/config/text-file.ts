/** Reads the texts of an operator: `.env`, secrets, and the bodies of commands, of files and of standard input. */

import { closeSync, openSync, readSync } from 'node:fs'

/** The most that is read: more than any statement of a day, and less than a device or an input without an end. */
const MAX_BYTES = 64_000_000
const PIECE_BYTES = 1_000_000

/**
 * Returns the text of a file in UTF-8, or in UTF-16 with a byte order mark, which PowerShell writes. Never guesses: a
 * secret that is read wrongly would look like a wrong secret.
 *
 * @throws {Error} if the file cannot be read, is too large or has another encoding. `whyUnreadable` says which.
 */
export function readTextFile(path: string): string {
  return decodeText(readBytes(path))
}

/** Like {@link readTextFile}, for an input. */
export async function readTextInput(input: AsyncIterable<Uint8Array | string>): Promise<string> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of input) {
    const bytes = Buffer.from(piece)
    length += bytes.length
    refuseTooLong(length)
    pieces.push(bytes)
  }

  return decodeText(Buffer.concat(pieces))
}

function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  const text = decode(bytes, encoding)
  if (text === null) {
    throw new UnreadableError(`its encoding is not ${encoding}; save it as UTF-8`)
  }
  if (text.includes('\0')) {
    throw new UnreadableError('its encoding is UTF-16 or UTF-32 without a byte order mark; save it as UTF-8')
  }
  return text
}

/** Reads piece by piece: a pipe or a device has no size. */
function readBytes(path: string): Uint8Array {
  const file = openSync(path, 'r')
  try {
    const pieces: Uint8Array[] = []
    let length = 0
    for (;;) {
      const piece = new Uint8Array(PIECE_BYTES)
      const count = readSync(file, piece)
      if (count === 0) {
        return Buffer.concat(pieces)
      }

      length += count
      refuseTooLong(length)
      pieces.push(piece.subarray(0, count))
    }
  } finally {
    closeSync(file)
  }
}

function refuseTooLong(length: number): void {
  if (length > MAX_BYTES) {
    throw new UnreadableError(`it has more than ${MAX_BYTES / 1_000_000} MB`)
  }
}

class UnreadableError extends Error {}

/** Returns the end of a sentence such as "x cannot be read: ENOENT." Messages of Node repeat the path. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof UnreadableError) {
    return `: ${error.message}.`
  }
  return error instanceof Error && 'code' in error ? `: ${String(error.code)}.` : '.'
}

function encodingOf([first, second]: Uint8Array): 'UTF-8' | 'UTF-16LE' | 'UTF-16BE' {
  if (first === 0xff && second === 0xfe) {
    return 'UTF-16LE'
  }
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
