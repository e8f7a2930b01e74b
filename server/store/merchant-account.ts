/**
 * The merchant's accounts at the gateway, to one of which each transaction belongs: there is one for each environment, and
 * a rehearsal of production is an environment of its own. A server processes only the transactions of its own account.
 */

export const MERCHANT_ACCOUNTS = ['sandbox', 'rehearsal', 'production'] as const
export type MerchantAccount = (typeof MERCHANT_ACCOUNTS)[number]
