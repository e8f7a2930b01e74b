// [assumed] Airtime has no fee. The rate of a recipient's currency is that of the hour in which the request is accepted,
// also if the airtime is given back later.

import { add } from '../../../server/contract/decimal.ts'
import { transfer } from '../money/ledger.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Account, Line, Movement } from '../money/ledger.ts'
import type { Cost, Recipient, RecipientState } from './recipient.ts'

/** Returns the movement that reserves the money for all recipients of a request, with one transfer for each account. */
export function reserve(reference: string, recipients: readonly Recipient[]): Movement {
  const totals = new Map<string, Cost>()
  for (const { cost } of recipients) {
    const amount: Decimal = add(totals.get(cost.accountNumber)?.amount ?? '0.00', cost.amount)
    totals.set(cost.accountNumber, { ...cost, amount })
  }
  const lines = [...totals.values()].flatMap((cost) => transfer(floatOf(cost), reservedOf(cost), cost.amount))
  return { what: 'airtime reserved', reference, lines }
}

/** Returns the ledger movement for a recipient's new state; `null` if the amount stays reserved. */
export function movementInto(state: RecipientState, recipient: Recipient): Movement | null {
  const { cost } = recipient
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
      return { what, reference, lines: delivered(recipient) }
    case 'failed':
      return { what, reference, lines: transfer(reservedOf(cost), floatOf(cost), cost.amount) }
    case 'reversed':
    case 'refunded':
      return { what, reference, lines: givenBack(recipient) }
  }
}

function delivered({ amount, currency, cost }: Recipient): Line[] {
  const operators = `operators/${currency}` as const
  if (currency === cost.currency) return transfer(reservedOf(cost), operators, amount)
  return [
    ...transfer(reservedOf(cost), `exchange/${cost.currency}`, cost.amount),
    ...transfer(`exchange/${currency}`, operators, amount),
  ]
}

function givenBack({ amount, currency, cost }: Recipient): Line[] {
  const operators = `operators/${currency}` as const
  if (currency === cost.currency) return transfer(operators, floatOf(cost), amount)
  return [
    ...transfer(operators, `exchange/${currency}`, amount),
    ...transfer(`exchange/${cost.currency}`, floatOf(cost), cost.amount),
  ]
}

function floatOf({ accountNumber, currency }: Cost): Account {
  return `float/${accountNumber}/${currency}`
}

function reservedOf({ accountNumber, currency }: Cost): Account {
  return `reserved/${accountNumber}/${currency}`
}
