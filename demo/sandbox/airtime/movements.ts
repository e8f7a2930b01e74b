/**
 * What is written into the books for airtime: an entry when a request is accepted, and one for each recipient whose
 * money moves on. Airtime costs no fee. [assumed]
 */

import { subtract } from '../../../server/contract/decimal.ts'
import { MERCHANT } from '../merchant.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Account, Movement } from '../money/ledger.ts'
import type { Recipient, RecipientState } from './recipient.ts'

const { accountNumber, currency } = MERCHANT
const FLOAT = `float/${accountNumber}/${currency}` as const
const RESERVED = `reserved/${accountNumber}/${currency}` as const
const OPERATORS = `operators/${currency}` as const

/** At acceptance, for all recipients: the money can no longer be spent on anything else. */
export function reserve(reference: string, total: Decimal): Movement {
  return moved('airtime reserved', reference, FLOAT, RESERVED, total)
}

/** While airtime is open or jammed its money stays reserved; whatever ends without airtime brings it back. */
export function movementInto(state: RecipientState, recipient: Recipient): Movement | null {
  const { amount } = recipient
  const name = nameOf(recipient)
  switch (state.kind) {
    case 'unprocessed':
    case 'processing':
    case 'reprocessing':
    case 'jammed':
      return null
    case 'delivered':
      return moved('airtime delivered', name, RESERVED, OPERATORS, amount)
    case 'failed':
      return moved('airtime failed', name, RESERVED, FLOAT, amount)
    case 'reversed':
    case 'refunded':
      return moved(`airtime ${state.kind}`, name, OPERATORS, FLOAT, amount)
  }
}

/** Request and phone number together tell a recipient. [spec: Events, rule 3] */
function nameOf({ reference, phoneNumber }: Recipient): string {
  return `${reference}/${phoneNumber}`
}

function moved(what: string, reference: string, from: Account, to: Account, amount: Decimal): Movement {
  const lines = [
    { account: from, amount: subtract('0', amount) },
    { account: to, amount },
  ]
  return { what, reference, lines }
}
