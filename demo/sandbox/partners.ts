/** Accounts to which a charge may allot shares. [spec: Split settlements] */

import type { CurrencyCode } from './money/currencies.ts'

export interface Partner {
  readonly accountNumber: string
  readonly currency: CurrencyCode
  /** Has to be given a share whenever shares are given. [spec: "must be included in every request"] */
  readonly isDynamic: boolean
}

/** The partners that the sandbox is born with. [assumed] */
export const PARTNERS: readonly Partner[] = [
  { accountNumber: 'PARTNER-001', currency: 'KES', isDynamic: false },
  { accountNumber: 'PARTNER-002', currency: 'KES', isDynamic: false },
  { accountNumber: 'PARTNER-FEES', currency: 'KES', isDynamic: true },
]

export function findPartner(accountNumber: string): Partner | undefined {
  return PARTNERS.find((partner) => partner.accountNumber === accountNumber)
}
