/**
 * Creates and checks the secret tokens in callback addresses.
 *
 * The spec defines no signature for callbacks. The server therefore accepts a callback only if its address contains a
 * valid token. A token consists of the transaction's reference and an HMAC of this reference, and is not stored. In an
 * address that is registered in the merchant portal, the name of the gateway's environment takes the place of the
 * reference. Tokens that were created with a previous key remain valid.
 */

import type { Secret, Secrets } from '../config/secret.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'

export type CallbackTokens = ReturnType<typeof createCallbackTokens>

/**
 * Returns functions that create and read tokens.
 *
 * @param kind The purpose of the tokens. A token for one purpose is invalid for other purposes.
 * @param keys The HMAC keys. Tokens are created with the first key, and accepted with any key.
 */
export function createCallbackTokens(kind: string, keys: Secrets) {
  const digest = (key: Secret, reference: string) =>
    createHmac('sha256', key.reveal()).update(`callback:${kind}:${reference}`).digest().subarray(0, 16)

  return {
    create: (reference: string) => `${reference}.${digest(keys[0], reference).toString('base64url')}`,
    /** Returns the reference in the token; `null` if the token was not created with one of the keys. */
    read(token: string): string | null {
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
