import { AIRTIME_STATUS } from '../../../server/contract/status.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'

export type RecipientState =
  | { kind: 'unprocessed' }
  | { kind: 'processing' }
  | { kind: 'delivered'; receipt: string }
  | { kind: 'failed'; result: string }
  | { kind: 'jammed' }
  | { kind: 'reversed'; receipt: string }
  | { kind: 'refunded'; receipt: string }
  | { kind: 'reprocessing' }

export interface Recipient {
  readonly reference: string
  readonly phoneNumber: string
  /** The amount in the currency of the merchant's float account, with two fraction digits. */
  readonly amount: Decimal
  readonly correlationId: string
  state: RecipientState
}

export interface Airtime {
  readonly reference: string
  readonly recipients: ReadonlyMap<string, Recipient>
}

// [spec: Airtime callback and status entry]
export function entryOf(recipient: Recipient) {
  const { reference, phoneNumber, amount, correlationId } = recipient
  return {
    phone_number: phoneNumber,
    amount: Number(amount),
    service_status: statusOf(recipient),
    external_reference: reference,
    provider_reference: receiptOf(recipient),
    correlation_id: correlationId,
    message: messageOf(recipient),
  }
}

function statusOf({ state }: Recipient): number {
  switch (state.kind) {
    case 'unprocessed':
      return AIRTIME_STATUS.unprocessed
    case 'processing':
      return AIRTIME_STATUS.processing
    case 'delivered':
      return AIRTIME_STATUS.successful
    case 'failed':
      return AIRTIME_STATUS.failed
    case 'jammed':
      return AIRTIME_STATUS.jammed
    case 'reversed':
      return AIRTIME_STATUS.reversed
    case 'refunded':
      return AIRTIME_STATUS.refunded
    case 'reprocessing':
      return AIRTIME_STATUS.submittedForReprocessing
  }
}

function receiptOf({ state }: Recipient): string | null {
  return 'receipt' in state ? state.receipt : null
}

function messageOf({ state }: Recipient): string {
  switch (state.kind) {
    case 'unprocessed':
      return 'The airtime is waiting to be processed.'
    case 'processing':
      return 'The airtime is being processed.'
    case 'delivered':
      return 'The airtime was delivered.'
    case 'failed':
      return state.result
    case 'jammed':
      return 'The airtime is stuck at the network and needs a person.'
    case 'reversed':
      return 'The airtime was reversed.'
    case 'refunded':
      return 'The airtime was refunded.'
    case 'reprocessing':
      return 'The network failed; the airtime will be tried again.'
  }
}
