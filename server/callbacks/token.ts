/**
 * The unguessable part of a callback's address.
 *
 * The spec shows no signature on callbacks, so knowing the address is all that a caller can prove. The token is
 * the reference with a keyed digest, so nothing is stored, and a key that was rotated out is still understood.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'

export interface CallbackTokens {
  create(reference: string): string
  /** The reference, or `null` for a token that was never given out. */
  read(token: string): string | null
}

/** @param keys The first makes tokens; all are accepted. */
export function createCallbackTokens(kind: string, keys: readonly [string, ...string[]]): CallbackTokens {
  const digest = (key: string, reference: string) =>
    createHmac('sha256', key).update(`callback:${kind}:${reference}`).digest().subarray(0, 16)

  return {
    create: (reference) => `${reference}.${digest(keys[0], reference).toString('base64url')}`,
    read(token) {
      const dot = token.lastIndexOf('.')
      const reference = token.slice(0, Math.max(dot, 0))
      const given = Buffer.from(token.slice(dot + 1), 'base64url')
      const isKnown = keys.some((key) => {
        const expected = digest(key, reference)
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
      return reference !== '' && isKnown ? reference : null
    },
  }
}
