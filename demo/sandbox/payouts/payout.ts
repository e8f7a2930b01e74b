import { PAYOUT_STATUS } from '../../../server/contract/status.ts'
import type { B2bRequest } from '../../../server/contract/b2b.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { PayoutRequest, TransferRequest } from '../../../server/contract/payout.ts'
import type { PayoutStatus } from '../../../server/contract/status.ts'

export interface Funds {
  reference: string
  accountNumber: string
  currency: string
  amount: Decimal
  // The fee is charged to the merchant's float account in addition to `amount`.
  fee: Decimal
  by: 'operators' | 'banks'
  delivered: { amount: Decimal; currency: string }
}

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
  /** The sandbox sends this id as `payment_id`, or as `transaction_id` for B2B payouts. */
  readonly paymentId: string
  readonly funds: Funds
  readonly createdAt: number
  /** The states of the payout, from the first one on. `at` is in milliseconds since the Unix epoch. */
  readonly history: { at: number; state: PayoutState }[]
  state: PayoutState
  changedAt: number
  /** The balance of the merchant's float account after the payout's last ledger movement. */
  balance: Decimal
}

export function setPayoutState(payout: Payout, state: PayoutState, balance: Decimal, now: number): void {
  payout.history.push({ at: now, state })
  payout.state = state
  payout.balance = balance
  payout.changedAt = now
}

// [spec: Payout payment status]
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
