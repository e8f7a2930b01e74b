/**
 * Fingerprints of the phone numbers from which payments were made, as the gateway reports them. The reported numbers
 * themselves are never stored.
 */

import { z } from 'zod'

import type { Fingerprints } from '../privacy/personal.ts'

/** Fingerprints of the number from which a payment was made, and of its last four digits, and the id of their key. */
export const PayerPrints = z.object({
  /** `null` if the gateway hides digits of the number. */
  phone: z.string().nullable(),
  ends: z.string(),
  key: z.string(),
})
export type PayerPrints = z.output<typeof PayerPrints>

/** Returns the fingerprints of a number as the gateway reported it; `null` if its last digits are unknown. */
export function printsOf(number: string | null, { of, keyId }: Fingerprints): PayerPrints | null {
  const [ends] = /\d{4}$/.exec(number ?? '') ?? []
  if (number === null || ends === undefined) {
    return null
  }

  const isWhole = /^\+?\d{8,15}$/.test(number)
  return { phone: isWhole ? of('phone', number) : null, ends: of('phone_ends', ends), key: keyId }
}
