// A merchant: accounts, services, partners, and the ways in which customers pay. [assumed] The spec leaves the
// registration of merchants to the merchant portal.

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { SeededKey } from '../credentials/api-keys.ts'

/** The currencies in which a merchant has an account. */
export type AccountCurrency = 'KES' | 'UGX' | 'TZS' | 'GHS' | 'XOF'

/** A float account. [assumed] A merchant has at most one account for each currency. */
export interface MerchantAccount {
  readonly number: string
  readonly currency: AccountCurrency
  /** The balance at the beginning. */
  readonly testFunds: Decimal
}

/** What a service may do. `checkout` services take charges, too. */
export type ServiceUse = 'checkout' | 'local' | 'transfer' | 'b2b'

export interface Service {
  readonly code: string
  readonly use: ServiceUse
  readonly currency: AccountCurrency
  /** An ISO 3166-1 alpha-3 code, such as "KEN". */
  readonly country: string
  /** The number of the merchant's account that the money goes to, or comes from. */
  readonly accountNumber: string
  /**
   * [assumed] Of a payout, the float account pays the fee in addition to the amount. Of a charge, the fee is the
   * default of `transaction_charge` if the request sets `add_transaction_charge`; checkouts have none.
   */
  readonly fee: Decimal
  /** Whether the service is switched off at first. */
  readonly isInitiallyOff?: true
}

/** An account of another business, to which shares of charges go. [spec: Split settlements] */
export interface Partner {
  readonly accountNumber: string
  readonly currency: AccountCurrency
  /** Whether every charge in this currency must contain a share for this account. [spec: Split settlements] */
  readonly isDynamic: boolean
}

export interface Merchant {
  readonly name: string
  /** The colour of the merchant's mark and buttons, as in "#0b6b4f". */
  readonly accent?: string | undefined
  /** The address of a square picture, shown instead of the initial of the name: a `data:` or `https:` URL. */
  readonly logo?: string | undefined
  readonly clientCode: string
  /** An ISO 3166-1 alpha-3 code, such as "KEN". */
  readonly country: string
  /** The API keys that exist from the beginning. */
  readonly keys: readonly SeededKey[]
  /** [assumed] The first account pays for airtime in currencies of which the merchant has no account. */
  readonly accounts: readonly [MerchantAccount, ...MerchantAccount[]]
  /** The services that exist from the beginning. */
  readonly services: readonly Service[]
  readonly partners: readonly Partner[]
}

export function findAccount({ accounts }: Merchant, number: string): MerchantAccount | undefined {
  return accounts.find((account) => account.number === number)
}

export function findPartner({ partners }: Merchant, accountNumber: string): Partner | undefined {
  return partners.find((partner) => partner.accountNumber === accountNumber)
}

/** A way to pay. [assumed] The operators are fictitious; their codes have a form that was seen in practice. */
export interface Method {
  readonly code: string
  readonly name: string
}

const BANK = 'BANK'
export const CARD = 'CARD'

export function methodsOf({ country }: Service): readonly Method[] {
  return [
    { code: `MOMO_${country}`, name: 'MoMo' },
    { code: `WAVELET_${country}`, name: 'Wavelet' },
    { code: CARD, name: 'Card' },
    { code: BANK, name: 'Bank account' },
  ]
}

/** Returns the method of a code. An operator that the hosted page does not offer has its code as its name. */
export function methodFor(service: Service, code: string): Method {
  return methodsOf(service).find((method) => method.code === code) ?? { code, name: code }
}

export const defaultMethodOf = ({ country }: Service) => `MOMO_${country}`

/** [assumed] Returns whether the customer approves on their phone: a card and a bank account need no phone number. */
export const isOnPhone = (methodCode: string) => methodCode !== CARD && methodCode !== BANK

/**
 * [assumed] Only payments from bank accounts need a second person's approval. [spec: Payment status inside checkout
 * payment records, 708]
 */
export const needsSecondPerson = (methodCode: string) => methodCode === BANK

export interface ServiceEntry {
  readonly service: Service
  readonly isActive: boolean
}

// [spec: What the service does, 3] [assumed] A code names one service of a merchant, whatever its use.
export function createServices(seeded: readonly Service[]) {
  const entries = new Map<string, ServiceEntry>()
  const put = (service: Service, isActive: boolean) => void entries.set(service.code, { service, isActive })
  for (const service of seeded) {
    put(service, !service.isInitiallyOff)
  }

  return {
    list: (): readonly ServiceEntry[] => [...entries.values()],
    /** Returns the active service with this use and code. */
    find(use: ServiceUse, code: string): Service | undefined {
      const entry = entries.get(code)
      return entry?.isActive && entry.service.use === use ? entry.service : undefined
    },
    entry: (code: string) => entries.get(code),
    add: (service: Service) => put(service, true),
    /** Switches an existing service on or off. */
    switch: ({ service }: ServiceEntry, to: 'on' | 'off') => put(service, to === 'on'),
  }
}
