/**
 * A fingerprint (HMAC-SHA-256) is stored in place of a phone number, an e-mail address or a request, to recognize the same
 * data later. Nobody without the key can find a phone number by computing the fingerprints of all phone numbers. The
 * references of checkouts are such digests, too.
 */

import type { Secrets } from '../config/secret.ts'
import { createHmac } from 'node:crypto'
import { deriveKey } from '../config/secret.ts'
import { readEmail, withoutInvisible } from '../contract/text.ts'
import { readPhoneNumber } from '../contract/phone-number.ts'

/**
 * What a value is. The same text has a different fingerprint for each purpose: `phone` is a phone number, `email` an
 * e-mail address, `account` the number of a bank account or a business, `network` the network of a client, `terms` a
 * merchant's request as JSON, and `attempt` an attempt of an order (`checkouts/attempt.ts`).
 */
export type Purpose = 'phone' | 'email' | 'account' | 'network' | 'terms' | 'attempt'

/** The payer's details in a request to the gateway. */
export interface PayerDetails {
  payer_name?: string | undefined
  payer_email?: string | undefined
  payer_msisdn?: string | undefined
}

export type Fingerprints = ReturnType<typeof createFingerprints>

const FINGERPRINT_BYTES = 16

/** @param secrets The current and the previous value of GATEWAY_CONSUMER_SECRET, from which the keys are derived. */
export function createFingerprints(secrets: Secrets) {
  const keys = secrets.map((secret) => deriveKey(secret, 'fingerprints'))
  const current = deriveKey(secrets[0], 'fingerprints')

  /** Returns the fingerprint to be stored: 22 characters. */
  const of = (purpose: Purpose, value: string) => fingerprint(current, purpose, value)

  return {
    of,
    /** Returns the fingerprints of the payer's phone number and e-mail address. */
    ofPayer: ({ payer_msisdn: phone, payer_email: email }: PayerDetails): string[] => [
      ...(phone === undefined ? [] : [of('phone', phone)]),
      ...(email === undefined ? [] : [of('email', email)]),
    ],
    /**
     * Returns the fingerprints that may be stored for a value: one with the current value of GATEWAY_CONSUMER_SECRET, and
     * one with its previous value.
     */
    all: (purpose: Purpose, value: string) => keys.map((key) => fingerprint(key, purpose, value)),
  }
}

function fingerprint(key: Buffer, purpose: Purpose, value: string): string {
  const text = `${purpose}:${NORMALIZED[purpose]?.(value) ?? value}`
  return createHmac('sha256', key).update(text).digest().subarray(0, FINGERPRINT_BYTES).toString('base64url')
}

/** Converts different spellings of the same value to one text. */
const NORMALIZED: Partial<Record<Purpose, (value: string) => string>> = {
  phone: (value) => readPhoneNumber(value, null) ?? value.replace(/\D/g, ''),
  email: (value) => readEmail(value).toLowerCase(),
  account: (value) => withoutInvisible(value.replaceAll(/[\s+\p{Dash}]/gu, '')).toUpperCase(),
}
