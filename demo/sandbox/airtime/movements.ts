// [assumed] Airtime has no fee.

import { MERCHANT } from '../merchant.ts'
import { transfer } from '../money/ledger.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Movement } from '../money/ledger.ts'
import type { Recipient, RecipientState } from './recipient.ts'

const { accountNumber, currency } = MERCHANT
const FLOAT = `float/${accountNumber}/${currency}` as const
const RESERVED = `reserved/${accountNumber}/${currency}` as const
const OPERATORS = `operators/${currency}` as const

export function reserve(reference: string, total: Decimal): Movement {
  return { what: 'airtime reserved', reference, lines: transfer(FLOAT, RESERVED, total) }
}

/** Returns the ledger movement for a recipient's new state; `null` if the amount stays reserved. */
export function movementInto(state: RecipientState, recipient: Recipient): Movement | null {
  const { amount } = recipient
  // [spec: Events, rule 3] Reference and phone number together identify a recipient.
  const reference = `${recipient.reference}/${recipient.phoneNumber}`
  const what = `airtime ${state.kind}`
  switch (state.kind) {
    case 'unprocessed':
    case 'processing':
    case 'reprocessing':
    case 'jammed':
      return null
    case 'delivered':
      return { what, reference, lines: transfer(RESERVED, OPERATORS, amount) }
    case 'failed':
      return { what, reference, lines: transfer(RESERVED, FLOAT, amount) }
    case 'reversed':
    case 'refunded':
      return { what, reference, lines: transfer(OPERATORS, FLOAT, amount) }
  }
}
