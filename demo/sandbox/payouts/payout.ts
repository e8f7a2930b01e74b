/** One payout: what was asked, and where it stands. */

import { PAYOUT_STATUS } from '../../../server/contract/status.ts'
import type { B2bRequest } from '../../../server/contract/b2b.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { PayoutRequest, TransferRequest } from '../../../server/contract/payout.ts'
import type { PayoutStatus } from '../../../server/contract/status.ts'
import type { Funds } from '../sessions/movements.ts'

/** What was asked, by the endpoint that it came through. */
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
  /** What the float could spend once this payout had last changed. */
  balance: Decimal
}

/** The only place where a payout moves on. */
export function change(payout: Payout, state: PayoutState, balance: Decimal, now: number): void {
  payout.state = state
  payout.balance = balance
  payout.changedAt = now
}

/** [spec: Payout payment status] */
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
