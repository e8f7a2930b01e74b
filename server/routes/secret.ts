/**
 * Compares secrets in constant time, so that the duration of a comparison does not reveal how much of a guess is right.
 */

import { createHash, timingSafeEqual } from 'node:crypto'

export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
