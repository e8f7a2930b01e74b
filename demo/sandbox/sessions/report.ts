import { PAYMENT_STATUS } from '../../../server/contract/status.ts'
import { withoutZeros } from '../money/amounts.ts'
import { payloadOf, recordOf } from './session.ts'
import type { CheckoutSession } from './session.ts'

/** Returns what the gateway reports of a session in callbacks and in responses to status queries. */
export function reportOf(session: CheckoutSession, now: number): object {
  return session.dialect === 'flat' ? flatReportOf(session, now) : payloadOf(session, now)
}

// [assumed] The fields of a payment record, as seen in practice. The last payment counts; before the payer has
// authorized a payment, the record is pending, and it has failed once the page has expired.
function flatReportOf(session: CheckoutSession, now: number): object {
  const payment = session.payments.at(-1)
  if (payment) return { ...recordOf(session, payment), amount: withoutZeros(payment.amount) }
  const isOver = now >= session.expiresAt
  const { methodCode, msisdn, amount, expiresAt } = session
  const changedAt = isOver ? expiresAt : session.changedAt
  const state = isOver
    ? ({ kind: 'failed', result: 'The page has expired.' } as const)
    : ({ kind: 'prompted', closesAt: expiresAt, decidedUntil: null } as const)
  const { transaction_id: _, ...record } = recordOf(session, {
    transactionId: '',
    methodCode,
    msisdn,
    receipt: '',
    amount,
    state,
    changedAt,
  })
  const payment_status = isOver ? PAYMENT_STATUS.failed : PAYMENT_STATUS.pending
  return { ...record, payment_status, amount: withoutZeros(amount) }
}
