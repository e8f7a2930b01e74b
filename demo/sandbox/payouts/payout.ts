/** One payout: its request, its money and its state. */

import { PAYOUT_STATUS } from '../../../server/contract/status.ts'
import type { B2bRequest } from '../../../server/contract/b2b.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { PayoutRequest, TransferRequest } from '../../../server/contract/payout.ts'
import type { PayoutStatus } from '../../../server/contract/status.ts'

/** The money of one payout. */
export interface Funds {
  reference: string
  /** The float account that pays. */
  accountNumber: string
  /** The currency of the float. */
  currency: string
  amount: Decimal
  /** In the float's currency, on top of the amount. */
  fee: Decimal
  /** Operators pay wallets; banks pay bank accounts. */
  by: 'operators' | 'banks'
  /** The amount and currency that the recipient gets. */
  delivered: { amount: Decimal; currency: string }
}

/** The request, and the endpoint that it was sent to. */
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
  /** `payment_id` or `transaction_id` on the wire. */
  readonly paymentId: string
  readonly funds: Funds
  state: PayoutState
  /** Milliseconds since the Unix epoch. */
  changedAt: number
  /** The balance of the float after the last change of this payout. */
  balance: Decimal
}

/** The only place where a payout's state changes. */
export function setPayoutState(payout: Payout, state: PayoutState, balance: Decimal, now: number): void {
  payout.state = state
  payout.balance = balance
  payout.changedAt = now
}

/** Returns the status code. [spec: Payout payment status] */
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
