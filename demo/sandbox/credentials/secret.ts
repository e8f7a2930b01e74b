// Secrets of API keys, and tokens of forms: they are compared in a time that does not depend on where they differ.

import { createHash, timingSafeEqual } from 'node:crypto'

/** Returns the SHA-256 of a text, in hexadecimal digits. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

export function isEqual(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(one)), Buffer.from(hashOf(other)))
}
