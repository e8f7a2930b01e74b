// The airtime of one recipient: a request for airtime has up to 1,000, and each settles on its own.

import { AIRTIME_STATUS } from '../../../server/contract/status.ts'
import { receiptOf } from '../settlement/funds.ts'
import type { AirtimeStatus } from '../../../server/contract/status.ts'
import type { Settling, State } from '../settlement/funds.ts'

/** The airtime of one phone. The money is `delivered` in the currency of its country. */
export interface Recipient extends Settling {
  readonly reference: string
  readonly phoneNumber: string
  readonly correlationId: string
}

export interface Airtime {
  readonly reference: string
  readonly recipients: ReadonlyMap<string, Recipient>
}

const AGAIN = 'The network failed; the airtime will be tried again.'

// [spec: Airtime service_status]
const STATES: Readonly<Record<State['kind'], readonly [AirtimeStatus, message: string]>> = {
  unprocessed: [AIRTIME_STATUS.unprocessed, 'The airtime is waiting to be processed.'],
  processing: [AIRTIME_STATUS.processing, 'The airtime is being processed.'],
  paid: [AIRTIME_STATUS.successful, 'The airtime was delivered.'],
  failed: [AIRTIME_STATUS.failed, 'The airtime failed.'],
  jammed: [AIRTIME_STATUS.jammed, 'The airtime is stuck at the network and needs a person.'],
  reversed: [AIRTIME_STATUS.reversed, 'The airtime was reversed.'],
  refunded: [AIRTIME_STATUS.refunded, 'The airtime was refunded.'],
  reprocessing: [AIRTIME_STATUS.submittedForReprocessing, AGAIN],
}

export function statusOf({ state }: { readonly state: State }): AirtimeStatus {
  return STATES[state.kind][0]
}

export function messageOf({ state }: { readonly state: State }): string {
  return 'result' in state ? state.result : STATES[state.kind][1]
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
