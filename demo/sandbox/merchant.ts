// [assumed] The spec leaves the registration of merchants to the merchant portal. The sandbox has one merchant with
// three partner accounts.

import type { Decimal } from '../../server/contract/decimal.ts'
import type { CurrencyCode } from './money/currencies.ts'

export interface Service {
  readonly code: string
  readonly currency: CurrencyCode
  /** An ISO 3166-1 alpha-3 code, such as "KEN". */
  readonly country: string
}

export interface PayoutService extends Service {
  // [assumed] The fee is charged to the merchant's float account in addition to the amount of a payout.
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

// [assumed] Default of `transaction_charge` if a charge request sets `add_transaction_charge`.
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

// [assumed] The operators are fictitious; their codes have a form that was seen in practice.
export interface Method {
  readonly code: string
  readonly name: string
  readonly hint: string
}

const BANK = 'BANK'
export const CARD = 'CARD'

export function methodsOf({ country }: Service): readonly Method[] {
  return [
    { code: `MOMO_${country}`, name: 'MoMo', hint: 'Mobile money; asks for your PIN on the phone' },
    { code: `WAVELET_${country}`, name: 'Wavelet', hint: 'Mobile money; asks for your PIN on the phone' },
    { code: CARD, name: 'Card', hint: 'Your bank asks you to confirm on the phone' },
    { code: BANK, name: 'Bank account', hint: 'Your bank asks you to confirm on the phone' },
  ]
}

export function defaultMethodOf({ country }: Service): string {
  return `MOMO_${country}`
}

// [assumed] Only payments from bank accounts need a second person's approval. [spec: "maker-checker payments"]
export function needsSecondPerson(methodCode: string): boolean {
  return methodCode === BANK
}

// [spec: Split settlements]
export interface Partner {
  readonly accountNumber: string
  readonly currency: CurrencyCode
  // Whether every list of splits must contain this account. [spec: "must be included in every request"]
  readonly isDynamic: boolean
}

export const PARTNERS: readonly Partner[] = [
  { accountNumber: 'PARTNER-001', currency: 'KES', isDynamic: false },
  { accountNumber: 'PARTNER-002', currency: 'KES', isDynamic: false },
  { accountNumber: 'PARTNER-FEES', currency: 'KES', isDynamic: true },
]

export function findPartner(accountNumber: string): Partner | undefined {
  return PARTNERS.find((partner) => partner.accountNumber === accountNumber)
}
