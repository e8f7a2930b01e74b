/**
 * The merchant that the sandbox starts with: credentials, services, payment methods and partner accounts.
 * [assumed] The spec leaves onboarding to the portal.
 */

import type { Decimal } from '../../server/contract/decimal.ts'
import type { CurrencyCode } from './money/currencies.ts'

export interface Service {
  readonly code: string
  /** The currency as ISO 4217 code. It is the currency of a checkout, or of the float that pays a payout. */
  readonly currency: CurrencyCode
  /** The country as ISO 3166-1 alpha-3 code. */
  readonly country: string
}

export interface PayoutService extends Service {
  /** [assumed] The fee that the sender pays on top of the payout's amount, in the currency of the float. */
  readonly fee: Decimal
}

export const MERCHANT = {
  name: 'Sandbox Shop',
  clientCode: 'SANDBOX',
  consumerKey: 'sandbox-key',
  consumerSecret: 'sandbox-secret',
  accountNumber: 'ACC-001',
  /** The currency of the float that the balance endpoint reports. */
  currency: 'KES',
  testFunds: '1000000.00',
} as const

/** [assumed] The transaction charge of a charge with `add_transaction_charge` and without a `transaction_charge`. */
export const CHARGE_FEE = '15.00'

const CHECKOUT_SERVICES: readonly Service[] = [
  { code: 'CHECKOUT-KES', currency: 'KES', country: 'KEN' },
  { code: 'CHECKOUT-UGX', currency: 'UGX', country: 'UGA' },
]

const PAYOUT_SERVICES = {
  local: [{ code: 'PAYOUT-KES', currency: 'KES', country: 'KEN', fee: '12.50' }],
  transfer: [{ code: 'IMT-KES', currency: 'KES', country: 'KEN', fee: '45.00' }],
  b2b: [{ code: 'B2B-KES', currency: 'KES', country: 'KEN', fee: '30.00' }],
} as const satisfies Record<string, readonly PayoutService[]>

export function findService(code: string): Service | undefined {
  return CHECKOUT_SERVICES.find((service) => service.code === code)
}

export function findPayoutService(
  kind: keyof typeof PAYOUT_SERVICES,
  code: string,
): PayoutService | undefined {
  return PAYOUT_SERVICES[kind].find((service) => service.code === code)
}

/**
 * A way in which a customer can pay. [assumed] The operators are fictitious; their ids have the form seen in the
 * field.
 */
interface Method {
  /** The method's code, `payment_method_code` on the wire. */
  readonly code: string
  readonly name: string
  readonly hint: string
}

const BANK = 'BANK'

export function methodsOf({ country }: Service): readonly Method[] {
  return [
    { code: `MOMO_${country}`, name: 'MoMo', hint: 'Mobile money; asks for your PIN on the phone' },
    { code: `WAVELET_${country}`, name: 'Wavelet', hint: 'Mobile money; asks for your PIN on the phone' },
    { code: 'CARD', name: 'Card', hint: 'Your bank asks you to confirm on the phone' },
    { code: BANK, name: 'Bank account', hint: 'Your bank asks you to confirm on the phone' },
  ]
}

export function defaultMethodOf({ country }: Service): string {
  return `MOMO_${country}`
}

/**
 * Whether a payment with this method needs the approval of a second person. [spec: "maker-checker payments"] [assumed]
 * Payments from bank accounts need it, and no others.
 */
export function needsSecondPerson(methodCode: string): boolean {
  return methodCode === BANK
}

/** An account to which a charge may allot shares. [spec: Split settlements] */
export interface Partner {
  readonly accountNumber: string
  readonly currency: CurrencyCode
  /**
   * Whether every request with shares must have a share for this account. [spec: "must be included in every request"]
   */
  readonly isDynamic: boolean
}

/** [assumed] The partner accounts of the merchant. */
export const PARTNERS: readonly Partner[] = [
  { accountNumber: 'PARTNER-001', currency: 'KES', isDynamic: false },
  { accountNumber: 'PARTNER-002', currency: 'KES', isDynamic: false },
  { accountNumber: 'PARTNER-FEES', currency: 'KES', isDynamic: true },
]

export function findPartner(accountNumber: string): Partner | undefined {
  return PARTNERS.find((partner) => partner.accountNumber === accountNumber)
}
