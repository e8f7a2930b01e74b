/** Which variables belong to one feature alone: a server without the feature refuses them. */

import { isKeyOf } from '../contract/parse.ts'

import type { VariableName } from './variables.ts'

/**
 * The features of the server, each with the variables that only it reads. They are refused where the feature is left
 * out. Prompts and splits of checkouts are charges at the gateway, so they need the feature `charges`.
 */
const VARIABLES_OF = {
  checkouts: [
    'ALLOWED_ORIGINS',
    'RETURN_URLS',
    'CHECKOUT_EXPIRES_MINUTES',
    'GATEWAY_PAGE_HOSTS',
    'ORDERS_URL',
    'ORDERS_TOKEN',
    'ORDER_SIGNING_KEY',
    'ORDER_SIGNING_KEY_PREVIOUS_SINCE',
    'ORDER_PUBLIC_KEYS',
    'ORDER_MAX_LIFETIME',
  ],
  payouts: [],
  charges: [
    'GATEWAY_CHARGE_PATH',
    'GATEWAY_CHARGE_STATUS_PATH',
    'GATEWAY_CHARGE_METHODS',
    'GATEWAY_CLIENT_CODE',
    'PARTNER_ACCOUNTS_DYNAMIC',
  ],
  airtime: [],
  links: [],
  payments: ['MERCHANT_READ_KEY', 'MERCHANT_READ_KEY_PREVIOUS_SINCE', 'TIME_ZONE'],
  notices: [
    'NOTIFY_SMTP_URL',
    'NOTIFY_TO',
    'NOTIFY_FROM',
    'NOTIFY_URL',
    'NOTIFY_HEADERS',
    'NOTIFY_TYPE',
    'NOTIFY_BODY',
  ],
} as const satisfies Record<string, readonly VariableName[]>
export type FeatureName = keyof typeof VARIABLES_OF
export const EVERY_FEATURE = Object.keys(VARIABLES_OF).filter(isKeyOf(VARIABLES_OF))

/** Returns the variables that a server with these features does not read, each with the feature that reads it. */
export function variablesOutside(
  features: readonly FeatureName[],
): { name: VariableName; feature: FeatureName }[] {
  const absent = EVERY_FEATURE.filter((feature) => !features.includes(feature))
  return absent.flatMap((feature) => VARIABLES_OF[feature].map((name) => ({ name, feature })))
}
