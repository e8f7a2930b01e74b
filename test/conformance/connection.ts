/** How a gateway is reached: its address, the credentials, and the address for callbacks. */

import type { CallbackReceiver } from './callback-receiver.ts'

export interface Connection {
  /** Origin and path before every path of the specification, without a slash at the end. */
  baseUrl: string
  fetch(url: string, init: ConnectionInit): Response | Promise<Response>
  credentials: Credentials
  /** Where charges are posted, which the specification does not show. Default: where our own sandbox has it. */
  chargePath?: string
  /** Missing when the gateway cannot reach this machine. */
  callbackReceiver?: CallbackReceiver
}

export interface ConnectionInit {
  method: string
  headers: Record<string, string>
  body?: string
  redirect: 'manual'
}

/** The merchant's portal settings, and a customer who can be paid. */
export interface Credentials {
  consumer_key: string
  consumer_secret: string
  account_number: string
  client_code: string
  services: Record<ServiceKind, string>
  /** Partner accounts for split settlements; a dynamic one must be in every request. */
  partners: { plain: string; dynamic: string }
  /** ISO 4217, of the float and of the services. */
  currency: string
  /** ISO 3166-1 alpha-3. */
  country: string
  /** A `destination_name` of that country. */
  wallet: string
  /** A customer's number there: digits with the country code first. */
  msisdn: string
}

export type ServiceKind = 'checkout' | 'payout' | 'transfer' | 'b2b'

/** The merchant of our own sandbox. */
export const SEEDED: Credentials = {
  consumer_key: 'sandbox-key',
  consumer_secret: 'sandbox-secret',
  account_number: 'ACC-001',
  client_code: 'SANDBOX',
  services: { checkout: 'CHECKOUT-KES', payout: 'PAYOUT-KES', transfer: 'IMT-KES', b2b: 'B2B-KES' },
  partners: { plain: 'PARTNER-001', dynamic: 'PARTNER-FEES' },
  currency: 'KES',
  country: 'KEN',
  wallet: 'MOMO_KEN',
  msisdn: '254700000001',
}
