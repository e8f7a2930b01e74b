/** Compares secrets in a time that does not depend on where they differ. */

import { createHash, timingSafeEqual } from 'node:crypto'

export function isSameSecret(a: string, b: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(a), digest(b))
}
