/**
 * The addresses of the gateway's callbacks, each with a token that nobody can guess: creates them, and reads what an
 * address is about.
 *
 * Some transactions have an address of their own. Besides, the merchant registers addresses in the gateway's merchant
 * portal: payouts, charges and airtime, each a chapter of the spec, need one in each environment of the gateway
 * (sandbox, production). [spec: What the service does, 3: "URL types include one for B2C notifications"; Events:
 * airtime]
 *
 * Requests for airtime and charges have no `callback_url` field, so their callbacks arrive at a registered address.
 * Payout requests have this field, but callbacks for payouts arrive at a registered address if the gateway ignores the
 * field.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'

import { CHAPTERS } from '../api/kind-table.ts'
import { isKeyOf } from '../contract/parse.ts'

import type { Chapter, OwnAddress } from '../api/kind-table.ts'
import type { Config } from '../config/config.ts'
import type { Secret, Secrets } from '../config/secret.ts'

type AddressConfig = Pick<Config, 'publicUrl' | 'environment' | 'callbackSecrets'>

/** Returns the callback address of a single transaction. */
export function createOwnAddress(
  chapter: OwnAddress,
  reference: string,
  { publicUrl, callbackSecrets }: Pick<AddressConfig, 'publicUrl' | 'callbackSecrets'>,
): string {
  const token = createCallbackTokens(CHAPTERS[chapter].tokens, callbackSecrets).create(reference)
  return `${publicUrl}/callbacks/${chapter}/${encodeURIComponent(token)}`
}

/** Returns the callback address of a chapter that the merchant registers in the gateway's portal. */
export function createPortalAddress(
  chapter: Chapter,
  { publicUrl, environment, callbackSecrets }: AddressConfig,
) {
  const tokens = createCallbackTokens('portal', callbackSecrets)
  return {
    url: `${publicUrl}/callbacks/${chapter}/${tokens.create(environment)}`,
    isToken: (token: string) => tokens.read(token) === environment,
  }
}

/** A server that receives callbacks. */
interface ReceivingServer {
  config: AddressConfig
  /** The chapters whose callbacks it receives. */
  chapters: readonly Chapter[]
}

/** What an address is about. */
interface Addressed {
  chapter: Chapter
  /** The reference of the transaction; `null` at an address that is registered in the merchant portal. */
  reference: string | null
}

/**
 * Returns what an address is about; `null` if this server did not create it, or does not receive the callbacks of its
 * chapter.
 */
export function readAddress(
  chapter: string,
  token: string,
  { config, chapters }: ReceivingServer,
): Addressed | null {
  if (!isKeyOf(CHAPTERS)(chapter) || !chapters.includes(chapter)) {
    return null
  }

  const { tokens, referenceIn } = CHAPTERS[chapter]
  const reference = tokens && createCallbackTokens(tokens, config.callbackSecrets).read(token)
  if (reference !== null) {
    return { chapter, reference }
  }

  const isRegistered = referenceIn.length > 0 && createPortalAddress(chapter, config).isToken(token)
  return isRegistered ? { chapter, reference: null } : null
}

/** 128 bits cannot be guessed, and keep the address short. */
const DIGEST_BYTES = 16

/**
 * Returns functions that create and read tokens. A token consists of the transaction's reference and an HMAC of this
 * reference, and is not stored. In an address that is registered in the merchant portal, the name of the gateway's
 * environment takes the place of the reference. Tokens that were created with a previous key remain valid. A token ends
 * as the name of a file does: frameworks that redirect other paths to one with a slash, which no callback follows, leave
 * it.
 *
 * @param kind The purpose of the tokens. A token for one purpose is invalid for other purposes.
 * @param keys The HMAC keys. Tokens are created with the first key, and accepted with any key.
 */
export function createCallbackTokens(kind: string, keys: Secrets) {
  const digest = (key: Secret, reference: string) =>
    createHmac('sha256', key.reveal())
      .update(`callback:${kind}:${reference}`)
      .digest()
      .subarray(0, DIGEST_BYTES)

  return {
    create: (reference: string) => `${reference}.${digest(keys[0], reference).toString('hex')}`,
    /** Returns the reference in the token; `null` if the token was not created with one of the keys. */
    read(token: string): string | null {
      const dot = token.lastIndexOf('.')
      const reference = token.slice(0, Math.max(dot, 0))
      const received = Buffer.from(token.slice(dot + 1), 'hex')
      const isValid = keys.some((key) => {
        const expected = digest(key, reference)
        return received.length === expected.length && timingSafeEqual(received, expected)
      })
      return reference !== '' && isValid ? reference : null
    },
  }
}
