/**
 * The address to paste into the merchant portal, one for an installation and environment.
 * [spec: What the service does, 3: "URL types include one for B2C notifications"]
 *
 * Every payout names an address of its own, so this one is for a gateway that prefers the portal's. [assumed] What
 * comes there has the shape of a payout's result, and its `payout_reference` says whom to ask about.
 */

import type { Config } from '../config.ts'
import { createCallbackTokens } from './token.ts'

export interface Portal {
  url: string
  isToken(token: string): boolean
}

export function createPortal({
  publicUrl,
  environment,
  callbackSecrets,
}: Pick<Config, 'publicUrl' | 'environment' | 'callbackSecrets'>): Portal {
  const tokens = createCallbackTokens('portal', callbackSecrets)
  return {
    url: `${publicUrl}/callbacks/payouts/${tokens.create(environment)}`,
    isToken: (token) => tokens.read(token) === environment,
  }
}
