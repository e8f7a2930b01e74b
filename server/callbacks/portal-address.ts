/**
 * Callback addresses to register in the merchant portal: one per chapter, installation and environment.
 * [spec: What the service does, 3: "URL types include one for B2C notifications"; Events: airtime]
 *
 * Airtime and charges have no `callback_url` field, so they need a registered address. Payouts have the field; their
 * registered address serves gateways that use the portal's address instead. [assumed] Callbacks to these addresses have
 * the shape of their chapter's callbacks, and one of the fields contains the transaction's reference.
 */

import type { Config } from '../config.ts'
import { z } from 'zod'
import { createCallbackTokens } from './token.ts'

/** The field of a callback's body that holds the reference, by the chapter in its address. */
const REFERENCE_IN = {
  payouts: 'payout_reference',
  charges: 'merchant_transaction_id',
  airtime: 'external_reference',
} as const

export interface PortalAddress {
  url: string
  isToken(token: string): boolean
  /** The reference of the transaction that a callback is about; `null` when the body has none. */
  readReference(body: unknown): string | null
}

export function createPortalAddress(
  chapter: keyof typeof REFERENCE_IN,
  { publicUrl, environment, callbackSecrets }: Pick<Config, 'publicUrl' | 'environment' | 'callbackSecrets'>,
): PortalAddress {
  const tokens = createCallbackTokens('portal', callbackSecrets)
  const field = REFERENCE_IN[chapter]
  const body = z.object({ [field]: z.string() })
  return {
    url: `${publicUrl}/callbacks/${chapter}/${tokens.create(environment)}`,
    isToken: (token) => tokens.read(token) === environment,
    readReference: (received) => body.safeParse(received).data?.[field] ?? null,
  }
}
