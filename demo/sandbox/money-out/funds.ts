// Money that leaves an account of the merchant for one recipient: a payout, or the airtime of one phone. It is reserved
// when the request is accepted; each later state moves it.

import { add, subtract } from '../../../server/contract/decimal.ts'
import { rejected } from '../errors/rejection.ts'
import { currencyOfAccount, transfer } from '../money/ledger.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Failure } from '../errors/failure.ts'
import type { Account, Ledger, Line, Movement } from '../money/ledger.ts'

export interface Funds {
  readonly what: 'payout' | 'airtime'
  /** The reference under which the ledger records each movement after the reservation. */
  readonly reference: string
  readonly accountNumber: string
  readonly currency: string
  readonly amount: Decimal
  /** The fee is charged to the account in addition to `amount`. */
  readonly fee: Decimal
  /** Whether a mobile operator or a bank pays the recipient. */
  readonly paidOutBy: 'operators' | 'banks'
  /** What the recipient gets, perhaps in another currency. */
  readonly delivered: { readonly amount: Decimal; readonly currency: string }
}

export type State =
  | { kind: 'unprocessed' | 'processing' | 'reprocessing' | 'jammed' }
  | { kind: 'paid' | 'reversed' | 'refunded'; receipt: string }
  | { kind: 'failed'; result: string }

/** The state that payouts and recipients of airtime have in common. All times are in milliseconds since the Unix epoch. */
export interface Settling {
  readonly funds: Funds
  readonly createdAt: number
  /** The states, from the first one on. */
  readonly history: { at: number; state: State }[]
  state: State
  changedAt: number
  /** The balance of the merchant's float account after the last change. */
  balance: Decimal
}

const UNPROCESSED: State = { kind: 'unprocessed' }

/** Returns the state of a payout or a recipient that was accepted just now. */
export function createUnprocessed(funds: Funds, now: number): Settling {
  const history = [{ at: now, state: UNPROCESSED }]
  return { funds, createdAt: now, history, state: UNPROCESSED, changedAt: now, balance: '0.00' }
}

/** Returns the operator's receipt; `null` if the money was never paid. */
export function receiptOf({ state }: { readonly state: State }): string | null {
  return 'receipt' in state ? state.receipt : null
}

/**
 * Reserves the money for all recipients of a request. Returns a failure, and moves nothing, if an account has too
 * little.
 */
export function reserve(
  ledger: Ledger,
  now: number,
  { what, reference }: Pick<Funds, 'what' | 'reference'>,
  allFunds: readonly Funds[],
): Failure | null {
  const totals = new Map<`${string}/${string}`, Decimal>()
  for (const { accountNumber, currency, amount, fee } of allFunds) {
    const owner = `${accountNumber}/${currency}` as const
    totals.set(owner, add(totals.get(owner) ?? '0.00', add(amount, fee)))
  }

  const lines = [...totals].flatMap(([owner, total]) =>
    transfer(`float/${owner}`, `reserved/${owner}`, total),
  )
  const movement = { what: `${what} reserved`, reference, lines }
  const overdrawn = ledger.overdrawnBy(movement)
  if (overdrawn !== null) {
    const held = `${currencyOfAccount(overdrawn)} ${ledger.balanceOf(overdrawn)}`
    return rejected('INSUFFICIENT_BALANCE', `The float has ${held}, less than the ${what} costs.`)
  }

  ledger.post(movement, now)
  return null
}

/** Returns the ledger movement for a new state; `null` if the money stays reserved. */
export function movementInto({ kind }: State, funds: Funds): Movement | null {
  const { what, reference, accountNumber, currency, amount, fee, paidOutBy, delivered } = funds
  const float: Account = `float/${accountNumber}/${currency}`
  const reserved: Account = `reserved/${accountNumber}/${currency}`
  const fees: Account = `fees/${currency}`
  const isExchanged = delivered.currency !== currency
  // In another currency, the account pays the exchange, and the exchange pays whoever pays the recipient.
  const clearing: Account = isExchanged ? `exchange/${currency}` : `${paidOutBy}/${currency}`
  const exchanged = isExchanged
    ? transfer(`exchange/${delivered.currency}`, `${paidOutBy}/${delivered.currency}`, delivered.amount)
    : []
  const givenBack = [...opposite(exchanged), ...transfer(clearing, float, amount)]
  const move = (lines: Line[]) => ({ what: `${what} ${kind}`, reference, lines })
  switch (kind) {
    case 'unprocessed':
    case 'processing':
    case 'reprocessing':
    case 'jammed':
      return null
    case 'paid':
      return move([...transfer(reserved, fees, fee), ...transfer(reserved, clearing, amount), ...exchanged])
    case 'failed':
      return move(transfer(reserved, float, add(amount, fee)))
    // [assumed] Only a reversal returns the fee; a refund does not.
    case 'reversed':
      return move([...givenBack, ...transfer(fees, float, fee)])
    case 'refunded':
      return move(givenBack)
  }
}

function opposite(lines: readonly Line[]): Line[] {
  return lines.map(({ account, amount }) => ({ account, amount: subtract('0', amount) }))
}
