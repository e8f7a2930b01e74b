/**
 * The addresses to paste into the merchant portal, one of each for an installation and environment.
 * [spec: What the service does, 3: "URL types include one for B2C notifications"; Events: airtime]
 *
 * Every payout names an address of its own, so the one for payouts is for a gateway that prefers the portal's. Airtime
 * and charges have no field for one. [assumed] What comes has the shape of the chapter's callbacks, and one of its fields
 * says whom to ask about.
 */

import type { Config } from '../config.ts'
import { z } from 'zod'
import { createCallbackTokens } from './token.ts'

/** By the part of the address that names the chapter of the spec. */
const NAMED_BY = {
  payouts: z.object({ payout_reference: z.string() }).transform((body) => body.payout_reference),
  charges: z
    .object({ merchant_transaction_id: z.string() })
    .transform((body) => body.merchant_transaction_id),
  airtime: z.object({ external_reference: z.string() }).transform((body) => body.external_reference),
} as const

export interface Portal {
  url: string
  isToken(token: string): boolean
  /** The reference of whom a callback is about; `null` when it does not say. */
  readReference(body: unknown): string | null
}

export function createPortal(
  chapter: keyof typeof NAMED_BY,
  { publicUrl, environment, callbackSecrets }: Pick<Config, 'publicUrl' | 'environment' | 'callbackSecrets'>,
): Portal {
  const tokens = createCallbackTokens('portal', callbackSecrets)
  return {
    url: `${publicUrl}/callbacks/${chapter}/${tokens.create(environment)}`,
    isToken: (token) => tokens.read(token) === environment,
    readReference: (body) => NAMED_BY[chapter].safeParse(body).data ?? null,
  }
}
