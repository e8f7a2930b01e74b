// A payout, and how callbacks and status queries report it.

import { PAYOUT_STATUS } from '../../../server/contract/status.ts'
import { withFraction } from '../money/amounts.ts'
import { receiptOf } from './funds.ts'

import type { B2bRequest, PayoutRequest, TransferRequest } from '../../../server/contract/payout.ts'
import type { PayoutStatus } from '../../../server/contract/status.ts'
import type { Settling, State } from './funds.ts'

export type Instruction =
  | { kind: 'local'; request: PayoutRequest }
  | { kind: 'transfer'; request: TransferRequest }
  | { kind: 'b2b'; request: B2bRequest }

export interface Payout extends Settling {
  readonly instruction: Instruction
  /** The sandbox sends this id as `payment_id`, or as `transaction_id` for B2B payouts. */
  readonly paymentId: string
}

const PENDING = { status: PAYOUT_STATUS.pending, result: 'The payout is being processed.' }

// [spec: Payout payment status]
const STATES: Readonly<Record<State['kind'], { status: PayoutStatus; result: string }>> = {
  unprocessed: PENDING,
  processing: PENDING,
  reprocessing: PENDING,
  paid: { status: PAYOUT_STATUS.processed, result: 'The payout was processed successfully.' },
  failed: { status: PAYOUT_STATUS.failed, result: 'The payout failed.' },
  jammed: {
    status: PAYOUT_STATUS.jammed,
    result: 'The payout is stuck at the operator until a person resolves it.',
  },
  reversed: { status: PAYOUT_STATUS.reversed, result: 'The payout was reversed.' },
  refunded: { status: PAYOUT_STATUS.refunded, result: 'The payout was refunded.' },
}

export function payoutStatusOf({ state }: { readonly state: State }): PayoutStatus {
  return STATES[state.kind].status
}

export function resultOf({ state }: { readonly state: State }): string {
  return 'result' in state ? state.result : STATES[state.kind].result
}

// [spec: Payout result; B2B callback and status payload]
export function payoutPayloadOf(payout: Payout): object {
  const { instruction, state, funds, paymentId, balance, changedAt } = payout
  // [assumed] "N/A" if the payout was never paid, as seen in practice.
  const receipt = receiptOf(payout) ?? 'N/A'
  const payment_status = payoutStatusOf(payout)
  const transaction_time = new Date(changedAt).toISOString()
  const account_number = masked(instruction.request.recipient_account_number)
  const result_description = resultOf(payout)
  if (instruction.kind === 'b2b') {
    const { recipient_type, ...request } = instruction.request
    return {
      payout_reference: request.payout_reference,
      transaction_id: paymentId,
      payment_reference: receipt,
      wallet_account: funds.accountNumber,
      // [spec: B2B callback and status payload, destination]
      destination: recipient_type === 'BANK_ACCOUNT_NUMBER' ? 'bank_account' : recipient_type,
      payment_status,
      amount: withFraction(funds.amount),
      currency: funds.currency,
      account_number,
      destination_name: request.recipient_name,
      description: request.payment_description,
      transaction_time,
      account_balance: balance,
      result_description,
    }
  }

  const { request } = instruction
  return {
    payout_reference: request.payout_reference,
    // [assumed] The spec does not define this `destination`; B2B results have the type here.
    destination: request.destination_type,
    data: {
      payment_id: paymentId,
      reference: receipt,
      wallet_account_number: funds.accountNumber,
      transaction_cost: state.kind === 'failed' || state.kind === 'reversed' ? '0.00' : funds.fee,
      wallet_balance: balance,
      payment_status,
      amount: withFraction(funds.delivered.amount),
      currency: funds.delivered.currency,
      account_number,
      destination_name: request.destination_name,
      payout_description: request.payment_description,
      transaction_time,
      ...(request.destination_type === 'BANK' && { bank_code: request.recipient_bank_code }),
      result_description,
      recipient_first_name: request.recipient_first_name ?? '',
      // [assumed] A name that the request does not have is empty.
      recipient_middle_name: ('recipient_middle_name' in request && request.recipient_middle_name) || '',
      recipient_last_name: request.recipient_last_name ?? '',
      recipient_phone_number: request.recipient_phone_number,
      message: result_description,
    },
  }
}

// The spec only says that account numbers "may be masked". [assumed] The first character and all characters but the
// last four are masked.
function masked(account: string): string {
  const characters = Array.from(account)
  const hidden = Math.max(1, characters.length - 4)
  return characters.fill('*', 0, hidden).join('')
}
