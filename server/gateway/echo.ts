/** Whether the gateway's answer repeats what a request said. */

import { referenceKey } from '../contract/comparison-keys.ts'

/**
 * Returns whether an answer repeats another value than was sent: an id, a reference, a code, or a number, which may be a
 * number or text. What the answer does not state contradicts nothing.
 */
export function contradicts(echo: string | number | null, sent: string | number | null): boolean {
  if (echo === null || sent === null) {
    return false
  }
  return referenceKey(String(echo)) !== referenceKey(String(sent))
}
