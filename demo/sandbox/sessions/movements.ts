/** What is written into the books when money moves. Each movement is one balanced entry. */

import { add, compare, subtract, sum } from '../../../server/contract/decimal.ts'
import { withFraction } from '../money/amounts.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Account, Line, Movement } from '../money/ledger.ts'

/** The money of one payout. */
export interface Funds {
  reference: string
  /** The float account that pays. */
  accountNumber: string
  /** Of the float. */
  currency: string
  amount: Decimal
  /** In the float's currency, on top of the amount. */
  fee: Decimal
  /** Who takes it to the recipient. */
  by: 'operators' | 'banks'
  /** What the recipient gets, in the recipient's currency. */
  delivered: { amount: Decimal; currency: string }
}

/** At acceptance: the money can no longer be spent on anything else. */
export function reserve(funds: Funds): Movement {
  const { reference, amount, fee } = funds
  const lines = moved(floatOf(funds), reservedOf(funds), add(amount, fee))
  return { what: 'payout reserved', reference, lines }
}

/** On failure: all of it comes back, the fee too. */
export function release(funds: Funds): Movement {
  const { reference, amount, fee } = funds
  const lines = moved(reservedOf(funds), floatOf(funds), add(amount, fee))
  return { what: 'payout failed', reference, lines }
}

/** On success: the amount goes to the recipient and the fee is earned. */
export function settle(funds: Funds): Movement {
  const { reference, currency, amount, fee } = funds
  const lines = [
    ...moved(reservedOf(funds), `fees/${currency}`, fee),
    ...moved(reservedOf(funds), clearingOf(funds), amount),
    ...exchanged(funds),
  ]
  return { what: 'payout paid', reference, lines }
}

/** On reversal: a paid payout is undone altogether, the fee too. [assumed] */
export function reverse(funds: Funds): Movement {
  const { reference, currency, amount, fee } = funds
  const lines = [
    ...exchanged(funds).map(opposite),
    ...moved(clearingOf(funds), floatOf(funds), amount),
    ...moved(`fees/${currency}`, floatOf(funds), fee),
  ]
  return { what: 'payout reversed', reference, lines }
}

/** On refund: the amount comes back, and the fee stays where it was earned. [assumed] */
export function refund(funds: Funds): Movement {
  const { reference, amount } = funds
  const lines = [...exchanged(funds).map(opposite), ...moved(clearingOf(funds), floatOf(funds), amount)]
  return { what: 'payout refunded', reference, lines }
}

/** Money from outside, such as the sandbox's test funds. */
export function fund(accountNumber: string, currency: string, amount: Decimal): Movement {
  const lines = moved(`world/${currency}`, `float/${accountNumber}/${currency}`, amount)
  return { what: 'test funds', reference: accountNumber, lines }
}

/** The money of a customer at a checkout. */
export interface Receipt {
  reference: string
  accountNumber: string
  currency: string
  amount: Decimal
}

export function receive({ reference, accountNumber, currency, amount }: Receipt): Movement {
  const lines = moved(`customers/${currency}`, `float/${accountNumber}/${currency}`, amount)
  return { what: 'checkout paid', reference, lines }
}

/**
 * Received money leaves again. It always does: what the float no longer holds, its merchant owes. [assumed]
 *
 * @param held What the float holds now.
 */
export function giveBack({ reference, accountNumber, currency, amount }: Receipt, held: Decimal): Movement {
  const covered = compare(held, amount) < 0 ? held : amount
  const lines = [
    ...moved(`float/${accountNumber}/${currency}`, `customers/${currency}`, covered),
    ...moved(`owed/${accountNumber}/${currency}`, `customers/${currency}`, subtract(amount, covered)),
  ]
  return { what: 'checkout money given back', reference, lines }
}

/** The money of a charge: the merchant cannot spend it until the service is confirmed. */
export function hold({ reference, accountNumber, currency, amount }: Receipt): Movement {
  const lines = moved(`customers/${currency}`, `held/${accountNumber}/${currency}`, amount)
  return { what: 'charge paid', reference, lines }
}

/** Held money goes back to where it came from, the gateway's part of it too. [assumed] */
export function giveBackHeld({ reference, accountNumber, currency, amount }: Receipt): Movement {
  const lines = moved(`held/${accountNumber}/${currency}`, `customers/${currency}`, amount)
  return { what: 'charge money given back', reference, lines }
}

/** What becomes of held money once the service is confirmed. */
export interface Allotment extends Receipt {
  /** What the gateway keeps. */
  fee: Decimal
  shares: readonly { account: string; amount: Decimal }[]
}

/** The shares go to the partners, and the rest to the merchant. [spec: Split settlement flow, 3] */
export function distribute(allotment: Allotment): Movement {
  const { reference, accountNumber, currency, amount, fee, shares } = allotment
  const held = `held/${accountNumber}/${currency}` as const
  const rest = subtract(amount, sum([fee, ...shares.map((share) => share.amount)]))
  const lines = [
    ...moved(held, `fees/${currency}`, fee),
    ...shares.flatMap((share) => moved(held, `partner/${share.account}/${currency}`, share.amount)),
    ...moved(held, `float/${accountNumber}/${currency}`, rest),
  ]
  return { what: 'charge distributed', reference, lines }
}

function moved(from: Account, to: Account, amount: Decimal): Line[] {
  if (compare(amount, '0') === 0) return []
  const written = withFraction(amount)
  return [
    { account: from, amount: subtract('0', written) },
    { account: to, amount: written },
  ]
}

function opposite({ account, amount }: Line): Line {
  return { account, amount: subtract('0', amount) }
}

function floatOf({ accountNumber, currency }: Funds): Account {
  return `float/${accountNumber}/${currency}`
}

function reservedOf({ accountNumber, currency }: Funds): Account {
  return `reserved/${accountNumber}/${currency}`
}

/** Where the amount goes in the float's own currency: to who delivers it, or to the exchange first. */
function clearingOf({ by, currency, delivered }: Funds): Account {
  return delivered.currency === currency ? `${by}/${currency}` : `exchange/${currency}`
}

/** The other half of an exchange, in the recipient's currency. */
function exchanged({ by, currency, delivered }: Funds): Line[] {
  if (delivered.currency === currency) return []
  return moved(`exchange/${delivered.currency}`, `${by}/${delivered.currency}`, delivered.amount)
}
