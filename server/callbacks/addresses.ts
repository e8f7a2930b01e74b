/**
 * Creates the addresses of callbacks, and the secret tokens in them. Some transactions have an address of their own.
 * Besides, the merchant registers addresses in the gateway's merchant portal: payouts, charges and airtime, each a
 * chapter of the spec, need one in each environment of the gateway (sandbox, production). [spec: What the service does,
 * 3: "URL types include one for B2C notifications"; Events: airtime]
 *
 * Requests for airtime and charges have no `callback_url` field, so their callbacks arrive at a registered address.
 * Payout requests have this field, but callbacks for payouts arrive at a registered address if the gateway ignores the
 * field.
 *
 * [assumed] A callback to the registered address of a chapter has the body that the spec shows in this chapter.
 */

import type { Config } from '../config/config.ts'
import type { Secret, Secrets } from '../config/secret.ts'
import type { Chapter } from '../api/kinds.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { CHAPTERS } from '../api/kinds.ts'

const Fields = z.record(z.string(), z.unknown())

export function createPortalAddress(
  chapter: Chapter,
  { publicUrl, environment, callbackSecrets }: Pick<Config, 'publicUrl' | 'environment' | 'callbackSecrets'>,
) {
  const tokens = createCallbackTokens('portal', callbackSecrets)
  return {
    url: `${publicUrl}/callbacks/${chapter}/${tokens.create(environment)}`,
    isToken: (token: string) => tokens.read(token) === environment,
    /** Returns the transaction's reference from the body of a callback; `null` if the body contains no reference. */
    readReference(received: unknown): string | null {
      const { data = {} } = Fields.safeParse(received)
      const values = CHAPTERS[chapter].referenceIn.map((field) => data[field])
      return values.find((value) => typeof value === 'string') ?? null
    },
  }
}

export type CallbackTokens = ReturnType<typeof createCallbackTokens>

/**
 * Returns functions that create and read tokens.
 *
 * The spec defines no signature for callbacks. The server therefore accepts a callback only if its address contains a
 * valid token. A token consists of the transaction's reference and an HMAC of this reference, and is not stored. In an
 * address that is registered in the merchant portal, the name of the gateway's environment takes the place of the
 * reference. Tokens that were created with a previous key remain valid.
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
