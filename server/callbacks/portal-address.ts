/**
 * Creates the callback addresses that the merchant registers in the merchant portal. Each installation of this server
 * has one address for each chapter of the spec (payouts, charges, airtime) and each environment of the gateway
 * (sandbox, production). [spec: What the service does, 3: "URL types include one for B2C notifications"; Events:
 * airtime]
 *
 * Requests for airtime and charges have no `callback_url` field, so they need a registered address. Payout requests
 * have the field; the registered address serves gateways that use it instead of `callback_url`. [assumed] Callbacks to
 * a registered address have the shape that the spec shows for their chapter, and one of their fields contains the
 * transaction's reference.
 */

import type { Config } from '../config.ts'
import { z } from 'zod'
import { createCallbackTokens } from './token.ts'

/** For each chapter, the field of a callback's body that contains the transaction's reference. */
const REFERENCE_IN = {
  payouts: 'payout_reference',
  charges: 'merchant_transaction_id',
  airtime: 'external_reference',
} as const

export interface PortalAddress {
  url: string
  isToken(token: string): boolean
  /** Returns the reference of the transaction that the callback is about; `null` if the body contains no reference. */
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
