import { withFraction } from '../money/amounts.ts'
import { payoutStatusOf } from './payout.ts'
import type { B2bRequest } from '../../../server/contract/b2b.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { PayoutRequest, TransferRequest } from '../../../server/contract/payout.ts'
import type { Payout } from './payout.ts'

// [spec: Payout result; B2B callback and status payload]
export function payoutPayloadOf(payout: Payout): object {
  switch (payout.instruction.kind) {
    case 'local':
    case 'transfer':
      return customerResultOf(payout, payout.instruction.request)
    case 'b2b':
      return businessResultOf(payout, payout.instruction.request)
  }
}

function customerResultOf(payout: Payout, request: PayoutRequest | TransferRequest) {
  const { funds, paymentId, balance, changedAt } = payout
  return {
    payout_reference: request.payout_reference,
    // [assumed] The spec does not define this `destination`; B2B results have the type here.
    destination: request.destination_type,
    data: {
      payment_id: paymentId,
      reference: receiptOf(payout),
      wallet_account_number: funds.accountNumber,
      transaction_cost: feeOf(payout),
      wallet_balance: balance,
      payment_status: payoutStatusOf(payout),
      amount: withFraction(funds.delivered.amount),
      currency: funds.delivered.currency,
      account_number: masked(request.recipient_account_number),
      destination_name: request.destination_name,
      payout_description: request.payment_description,
      transaction_time: new Date(changedAt).toISOString(),
      ...(request.destination_type === 'BANK' && { bank_code: request.recipient_bank_code }),
      result_description: resultOf(payout),
      recipient_first_name: request.recipient_first_name ?? '',
      // [assumed] A name that the request does not have is empty.
      recipient_middle_name: ('recipient_middle_name' in request && request.recipient_middle_name) || '',
      recipient_last_name: request.recipient_last_name ?? '',
      recipient_phone_number: request.recipient_phone_number,
      message: resultOf(payout),
    },
  }
}

function businessResultOf(payout: Payout, request: B2bRequest) {
  const { funds, paymentId, balance, changedAt } = payout
  const { recipient_type } = request
  return {
    payout_reference: request.payout_reference,
    transaction_id: paymentId,
    payment_reference: receiptOf(payout),
    wallet_account: funds.accountNumber,
    // [spec: B2B callback and status payload, destination]
    destination: recipient_type === 'BANK_ACCOUNT_NUMBER' ? 'bank_account' : recipient_type,
    payment_status: payoutStatusOf(payout),
    amount: withFraction(funds.amount),
    currency: funds.currency,
    account_number: masked(request.recipient_account_number),
    destination_name: request.recipient_name,
    description: request.payment_description,
    transaction_time: new Date(changedAt).toISOString(),
    account_balance: balance,
    result_description: resultOf(payout),
  }
}

// The spec only says that account numbers "may be masked". [assumed] The first character and all characters but the
// last four are masked.
function masked(account: string): string {
  const characters = Array.from(account)
  const hidden = Math.max(1, characters.length - 4)
  return characters.fill('*', 0, hidden).join('')
}

// [assumed] "N/A" if the payout was never paid, as seen in practice.
function receiptOf({ state }: Payout): string {
  switch (state.kind) {
    case 'paid':
    case 'reversed':
    case 'refunded':
      return state.receipt
    case 'pending':
    case 'failed':
    case 'jammed':
      return 'N/A'
  }
}

function feeOf({ state, funds }: Payout): Decimal {
  switch (state.kind) {
    case 'pending':
    case 'paid':
    case 'jammed':
    case 'refunded':
      return funds.fee
    case 'failed':
    case 'reversed':
      return '0.00'
  }
}

export function resultOf({ state }: Payout): string {
  switch (state.kind) {
    case 'pending':
      return 'The payout is being processed.'
    case 'paid':
      return 'The payout was processed successfully.'
    case 'failed':
      return state.result
    case 'jammed':
      return 'The payout is stuck at the operator and needs a person.'
    case 'reversed':
      return 'The payout was reversed.'
    case 'refunded':
      return 'The payout was refunded.'
  }
}
