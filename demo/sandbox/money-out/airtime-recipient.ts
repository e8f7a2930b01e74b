// The airtime of one recipient: a request for airtime has up to 1,000, and each settles on its own.

import { AIRTIME_STATUS } from '../../../server/contract/status.ts'
import { receiptOf } from './funds.ts'

import type { AirtimeStatus } from '../../../server/contract/status.ts'
import type { Settling, State } from './funds.ts'

/** The airtime of one phone. What it gets, `delivered`, is in the currency of its country. */
export interface Recipient extends Settling {
  readonly reference: string
  readonly phoneNumber: string
  readonly correlationId: string
}

export interface Airtime {
  readonly reference: string
  readonly recipients: ReadonlyMap<string, Recipient>
}

const STUCK = 'The airtime is stuck at the network until a person resolves it.'
const TO_BE_RETRIED = 'The network failed; the airtime will be tried again.'

// [spec: Airtime service_status]
const STATES: Readonly<Record<State['kind'], { status: AirtimeStatus; message: string }>> = {
  unprocessed: { status: AIRTIME_STATUS.unprocessed, message: 'The airtime is waiting to be processed.' },
  processing: { status: AIRTIME_STATUS.processing, message: 'The airtime is being processed.' },
  paid: { status: AIRTIME_STATUS.successful, message: 'The airtime was delivered.' },
  failed: { status: AIRTIME_STATUS.failed, message: 'The airtime failed.' },
  jammed: { status: AIRTIME_STATUS.jammed, message: STUCK },
  reversed: { status: AIRTIME_STATUS.reversed, message: 'The airtime was reversed.' },
  refunded: { status: AIRTIME_STATUS.refunded, message: 'The airtime was refunded.' },
  reprocessing: { status: AIRTIME_STATUS.submittedForReprocessing, message: TO_BE_RETRIED },
}

export const statusOf = ({ state }: { readonly state: State }): AirtimeStatus => STATES[state.kind].status

export function messageOf({ state }: { readonly state: State }): string {
  return 'result' in state ? state.result : STATES[state.kind].message
}

// [spec: Airtime callback and status entry]
export function entryOf(recipient: Recipient) {
  return {
    phone_number: recipient.phoneNumber,
    amount: Number(recipient.funds.delivered.amount),
    service_status: statusOf(recipient),
    external_reference: recipient.reference,
    provider_reference: receiptOf(recipient),
    correlation_id: recipient.correlationId,
    message: messageOf(recipient),
  }
}
