/** Confirmations of payments in each stage, and reports about these payments. */

import { transitionConfirmation } from '../../../server/payins/service-confirmation.ts'
import { toReportedState } from '../../../server/payins/status-answer.ts'
import { SENT as AT } from './observed.ts'
import { payloadOf } from './open-checkout.ts'

import type { CheckoutStatus, PaymentStatus } from '../../../server/contract/status.ts'
import type { ReportedState } from '../../../server/payins/reported-state.ts'
import type { Confirming } from '../../../server/payins/service-confirmation.ts'
import type { PaymentConfirmation, ServiceConfirmation } from '../../../server/transactions/kind.ts'
import type { Resolution } from '../../../server/transactions/resolution.ts'

export const decision = { status: 'SUCCESSFUL', narration: 'Delivered.', payment_id: '1' } as const
export const failed = { ...decision, status: 'FAILED' } as const
export const OPEN = { stage: 'open', payment_id: '1', by: 'event' } as const
export const DECIDED = { stage: 'decided', decision, decided_at: AT, sent_at: null, unanswered: 0 } as const
export const CONFIRMED = { stage: 'confirmed', decision, message: 'Taken.' } as const
export const REFUSED = {
  stage: 'refused',
  decision,
  message: 'Too late.',
  unanswered: 0,
  is_resolved: false,
} as const
export const FAILED = { ...CONFIRMED, decision: failed } as const

/** The service confirmation of the payments with these. */
export const of = (...payments: PaymentConfirmation[]): ServiceConfirmation => ({ accepted: null, payments })
/** The same confirmation, about another payment. */
export function about<Confirmation extends PaymentConfirmation>(
  payment_id: string | null,
  confirmation: Confirmation,
): Confirmation {
  return confirmation.stage === 'open'
    ? { ...confirmation, payment_id }
    : { ...confirmation, decision: { ...confirmation.decision, payment_id } }
}

/** A report whose payments have the ids 1, 2 and so on. */
export function reported(status: CheckoutStatus, payments: readonly PaymentStatus[] = [700]): ReportedState {
  const payload = payloadOf(
    status,
    payments.map((payment) => ({ status: payment })),
  )
  const state = toReportedState(payload, AT, 'KES')
  return {
    ...state,
    payments: state.payments.map((payment, index) => ({ ...payment, payment_id: `${index + 1}` })),
  }
}

/** A report of successful payments with these ids and amounts, by the total that they are together. */
export function listing(
  status: CheckoutStatus,
  ...payments: [id: string | null, amount: string, PaymentStatus?][]
) {
  const payload = payloadOf(
    status,
    payments.map(([id, amount, payment = 700]) => ({ id, amount, status: payment })),
  )
  return toReportedState(payload, AT, 'KES')
}

export const alarm = { why: 'The gateway does not know it.', until: 'reported' } as const

/** Observes a pay-in about which a person has to check something. */
export function observe(
  confirmation: ServiceConfirmation,
  reportedState: ReportedState | null,
  observation: Confirming,
  isPaid = false,
  resolution: Resolution | null = null,
) {
  const before = { confirmation, reported: reportedState, alarm, resolution }
  const { record, historyEntry } = transitionConfirmation(before, observation, isPaid, AT)
  return { confirmation: record.confirmation, alarm: record.alarm, historyEntry }
}

export const accepted = (received: string) => ({ kind: 'accepted', received }) as const
