/**
 * The only merchant of the sandbox: credentials, services, payment methods and partner accounts. [assumed] The spec
 * leaves the registration of merchants to the merchant portal.
 */

import type { Decimal } from '../../server/contract/decimal.ts'
import type { CurrencyCode } from './money/currencies.ts'

export interface Service {
  readonly code: string
  /** ISO 4217 code: the currency of the service's checkouts and charges, or of the float that pays its payouts. */
  readonly currency: CurrencyCode
  /** ISO 3166-1 alpha-3 code. */
  readonly country: string
}

export interface PayoutService extends Service {
  /** [assumed] Fee of a payout in the service's currency, charged to the float in addition to the amount. */
  readonly fee: Decimal
}

export const MERCHANT = {
  name: 'Sandbox Shop',
  clientCode: 'SANDBOX',
  consumerKey: 'sandbox-key',
  consumerSecret: 'sandbox-secret',
  accountNumber: 'ACC-001',
  currency: 'KES',
  testFunds: '1000000.00',
} as const

/** [assumed] Default of `transaction_charge` when a charge request sets `add_transaction_charge`. */
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
 * A payment method of the hosted page. [assumed] The operators are fictitious. Their codes have a form that was seen in
 * practice.
 */
interface Method {
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
 * Returns whether a second person must approve a payment with this method. [spec: "maker-checker payments"] [assumed]
 * Only payments from bank accounts need this approval.
 */
export function needsSecondPerson(methodCode: string): boolean {
  return methodCode === BANK
}

/** Partner account that can receive a share of a charge. [spec: Split settlements] */
export interface Partner {
  readonly accountNumber: string
  readonly currency: CurrencyCode
  /**
   * Whether each split charge in this currency must include a share for this account. [spec: "must be included in every
   * request"]
   */
  readonly isDynamic: boolean
}

/** The merchant's partner accounts. [assumed] */
export const PARTNERS: readonly Partner[] = [
  { accountNumber: 'PARTNER-001', currency: 'KES', isDynamic: false },
  { accountNumber: 'PARTNER-002', currency: 'KES', isDynamic: false },
  { accountNumber: 'PARTNER-FEES', currency: 'KES', isDynamic: true },
]

export function findPartner(accountNumber: string): Partner | undefined {
  return PARTNERS.find((partner) => partner.accountNumber === accountNumber)
}
