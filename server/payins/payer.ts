/**
 * Keeps the payer's details out of what is stored and logged: computes their fingerprints, removes them from the
 * gateway's messages, and encrypts requests to the gateway while they wait to be sent (AES-256-GCM). The encryption
 * prevents the details from being read from the database, the database's write-ahead log, or a backup.
 */

import type { CheckoutError } from '../contract/errors.ts'
import type { Fingerprints } from '../fingerprints.ts'
import type { GatewayRefusal } from '../gateway/errors.ts'
import type { Secrets } from '../config/secret.ts'
import type { Randomness } from '../randomness.ts'
import { deriveKey } from '../config/secret.ts'
import { firstCharacters } from '../contract/characters.ts'
import { createRedactor } from '../redactor.ts'
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { parseJson } from '../json.ts'

/** The payer's details in a request to the gateway. */
export interface PayerDetails {
  payer_name?: string | undefined
  payer_email?: string | undefined
  payer_msisdn?: string | undefined
}

/** The maximum number of characters of the gateway's message in a line of the log. */
const MOST_LOGGED = 300

/** Returns the fingerprints of the payer's phone number and e-mail address. */
export function peopleOf({ payer_msisdn, payer_email }: PayerDetails, fingerprints: Fingerprints): string[] {
  return [
    ...(payer_msisdn === undefined ? [] : [fingerprints.of('phone', payer_msisdn)]),
    ...(payer_email === undefined ? [] : [fingerprints.of('email', payer_email)]),
  ]
}

/** Returns the message and the error object of a refusal, without the payer's details. */
export function redactRefusal(
  { message, refusal }: Pick<GatewayRefusal, 'message' | 'refusal'>,
  { payer_name, payer_email, payer_msisdn }: PayerDetails,
): { why: string; refusal: CheckoutError } {
  const redact = createRedactor({ phones: [payer_msisdn], texts: [payer_name, payer_email] })
  const { status_code, status_description, message: text } = refusal
  return {
    why: redact(message),
    refusal: { status_code, status_description: redact(status_description), message: redact(text) },
  }
}

/**
 * Returns a sentence for the merchant's log: why the gateway refused, and its own message, for example which field is
 * wrong. Both come from `redactRefusal`, without the payer's details.
 */
export function loggedReason(why: string, refusal: CheckoutError | null): string {
  const { message = '', status_description } = refusal ?? {}
  return message === '' || message === status_description
    ? why
    : `${why} It says: ${firstCharacters(message, MOST_LOGGED)}`
}

export type Sealer = ReturnType<typeof createSealer>

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * The reason for the refusal of a transaction whose stored request cannot be decrypted. Nobody can have paid such a
 * transaction: either its request was never sent, or nobody has seen its hosted page.
 */
export const CANNOT_OPEN =
  'The request cannot be decrypted: GATEWAY_CONSUMER_SECRET was replaced, and GATEWAY_CONSUMER_SECRET_PREVIOUS is not its earlier value.'

/**
 * Returns functions that encrypt and decrypt requests. Their key is derived from GATEWAY_CONSUMER_SECRET.
 *
 * @param secrets The current and the previous value of GATEWAY_CONSUMER_SECRET. `seal` uses the current value; `open`
 * tries both values.
 */
export function createSealer(secrets: Secrets, randomness: Pick<Randomness, 'token'>) {
  const keys = secrets.map((secret) => deriveKey(secret, 'payer details'))
  const current = deriveKey(secrets[0], 'payer details')

  return {
    seal(request: object): string {
      const iv = Buffer.from(randomness.token(), 'base64url').subarray(0, IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, current, iv)
      const text = Buffer.concat([cipher.update(JSON.stringify(request)), cipher.final()])
      return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
    },
    /** Returns the request; `null` if the text was encrypted with another key or was changed. */
    open(sealed: string): unknown {
      const bytes = Buffer.from(sealed, 'base64url')
      const text = keys.map((key) => decrypt(bytes, key)).find((opened) => opened !== null)
      return parseJson(text ?? '') ?? null
    },
  }
}

/** Returns the decrypted text; `null` if the text was encrypted with another key or was changed. */
function decrypt(bytes: Buffer, key: Buffer): string | null {
  const [ivEnd, tagEnd] = [IV_BYTES, IV_BYTES + TAG_BYTES]
  if (bytes.length < tagEnd) return null
  const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, ivEnd), { authTagLength: TAG_BYTES })
  decipher.setAuthTag(bytes.subarray(ivEnd, tagEnd))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]).toString()
  } catch {
    return null
  }
}
