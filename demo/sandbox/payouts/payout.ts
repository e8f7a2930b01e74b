/** A payout: its request, its money and its state. */

import { PAYOUT_STATUS } from '../../../server/contract/status.ts'
import type { B2bRequest } from '../../../server/contract/b2b.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { PayoutRequest, TransferRequest } from '../../../server/contract/payout.ts'
import type { PayoutStatus } from '../../../server/contract/status.ts'

/** The money that a payout moves. */
export interface Funds {
  reference: string
  /** The account number of the float that pays. */
  accountNumber: string
  /** The currency of the float. */
  currency: string
  amount: Decimal
  /** The fee in the float's currency, paid in addition to the amount. */
  fee: Decimal
  /** The party that pays the recipient: operators pay wallets, banks pay bank accounts. */
  by: 'operators' | 'banks'
  /** The amount and currency that the recipient gets. */
  delivered: { amount: Decimal; currency: string }
}

/** The request of a payout, by the endpoint that it was sent to. */
export type Instruction =
  | { kind: 'local'; request: PayoutRequest }
  | { kind: 'transfer'; request: TransferRequest }
  | { kind: 'b2b'; request: B2bRequest }

export type PayoutState =
  | { kind: 'pending' }
  | { kind: 'paid'; receipt: string }
  | { kind: 'failed'; result: string }
  | { kind: 'jammed' }
  | { kind: 'reversed'; receipt: string }
  | { kind: 'refunded'; receipt: string }

export interface Payout {
  readonly instruction: Instruction
  /** The payout's id, `payment_id` or `transaction_id` on the wire. */
  readonly paymentId: string
  readonly funds: Funds
  state: PayoutState
  /** The time of the last change of state, in milliseconds since the Unix epoch. */
  changedAt: number
  /** The balance of the float after the last change of this payout. */
  balance: Decimal
}

/** Changes the state of a payout. No other function changes it. */
export function setPayoutState(payout: Payout, state: PayoutState, balance: Decimal, now: number): void {
  payout.state = state
  payout.balance = balance
  payout.changedAt = now
}

/** Returns the status code of a payout. [spec: Payout payment status] */
export function payoutStatusOf({ state }: Payout): PayoutStatus {
  switch (state.kind) {
    case 'pending':
      return PAYOUT_STATUS.pending
    case 'paid':
      return PAYOUT_STATUS.processed
    case 'failed':
      return PAYOUT_STATUS.failed
    case 'jammed':
      return PAYOUT_STATUS.jammed
    case 'reversed':
      return PAYOUT_STATUS.reversed
    case 'refunded':
      return PAYOUT_STATUS.refunded
  }
}
