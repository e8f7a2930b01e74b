// Hashes and compares secrets, such as those of API keys and the tokens of forms. The time of a comparison does not
// depend on where two secrets differ.

import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)))
}
