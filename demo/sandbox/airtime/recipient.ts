import { AIRTIME_STATUS } from '../../../server/contract/status.ts'
import type { AirtimeStatus } from '../../../server/contract/status.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { CurrencyCode } from '../money/currencies.ts'

export type RecipientState =
  | { kind: 'unprocessed' }
  | { kind: 'processing' }
  | { kind: 'delivered'; receipt: string }
  | { kind: 'failed'; result: string }
  | { kind: 'jammed' }
  | { kind: 'reversed'; receipt: string }
  | { kind: 'refunded'; receipt: string }
  | { kind: 'reprocessing' }

/** What a recipient's airtime costs the merchant, and the account that pays for it. */
export interface Cost {
  readonly accountNumber: string
  readonly currency: CurrencyCode
  readonly amount: Decimal
}

export interface Recipient {
  readonly reference: string
  readonly phoneNumber: string
  /** The amount in the currency of the recipient's country, with two fraction digits. */
  readonly amount: Decimal
  readonly currency: CurrencyCode
  readonly cost: Cost
  readonly correlationId: string
  /** The states of the recipient, from the first one on. `at` is in milliseconds since the Unix epoch. */
  readonly history: { at: number; state: RecipientState }[]
  state: RecipientState
}

export interface Airtime {
  readonly reference: string
  readonly createdAt: number
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

export function statusOf({ state }: Recipient): AirtimeStatus {
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

export function receiptOf({ state }: Recipient): string | null {
  return 'receipt' in state ? state.receipt : null
}

export function messageOf({ state }: Recipient): string {
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
