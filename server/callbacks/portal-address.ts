/**
 * Creates the callback addresses that the merchant registers in the gateway's merchant portal. Payouts, charges and
 * airtime, each a chapter of the spec, need an address of their own in each environment of the gateway (sandbox,
 * production). [spec: What the service does, 3: "URL types include one for B2C notifications"; Events: airtime]
 *
 * Requests for airtime and charges have no `callback_url` field, so their callbacks arrive at a registered address.
 * Payout requests have this field, but callbacks for payouts arrive at a registered address if the gateway ignores the
 * field.
 *
 * [assumed] A callback to the registered address of a chapter has the body that the spec shows in this chapter.
 */

import type { Config } from '../config/config.ts'
import { z } from 'zod'
import { createCallbackTokens } from './token.ts'

const PAYOUTS = { kinds: ['payout'], tokens: 'payout', referenceIn: ['payout_reference'] } as const
/**
 * What a callback is about, by the path segment after `/callbacks/`: the kinds of its transactions; the purpose of the
 * tokens in the addresses of single transactions, if they have any; and the fields in the body of a callback to a
 * registered address that may contain the reference. The first of the fields that is present counts. [assumed] A callback
 * about a charge has the payload of a checkout, or is one payment record.
 */
export const CHAPTERS = {
  checkout: { kinds: ['checkout'], tokens: 'checkout', referenceIn: [] },
  payouts: PAYOUTS,
  b2b: PAYOUTS,
  charges: {
    kinds: ['charge', 'checkout'],
    tokens: null,
    referenceIn: ['merchant_transaction_id', 'external_reference'],
  },
  airtime: { kinds: ['airtime'], tokens: null, referenceIn: ['external_reference'] },
} as const
export type Chapter = keyof typeof CHAPTERS

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
