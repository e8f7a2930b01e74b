import { CHECKOUT_STATUS } from '../../../server/contract/status.ts'
import { openPaymentOf, statusOf } from '../sessions/session.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Payment } from '../sessions/payment.ts'

/** The state of the hosted page. All times are in milliseconds since the Unix epoch. */
export type PageState =
  | { kind: 'choosing'; last: Payment | null }
  | { kind: 'prompted'; payment: Payment; closesAt: number }
  | { kind: 'waiting'; payment: Payment; until: number }
  | { kind: 'stuck' }
  | { kind: 'paid' }
  | { kind: 'given_back'; as: 'reversed' | 'refunded' }
  | { kind: 'expired' }

export function pageStateOf(session: CheckoutSession, now: number): PageState {
  const status = statusOf(session, now)
  if (status === CHECKOUT_STATUS.paid) return { kind: 'paid' }
  if (status === CHECKOUT_STATUS.reversed) return { kind: 'given_back', as: 'reversed' }
  if (status === CHECKOUT_STATUS.refunded) return { kind: 'given_back', as: 'refunded' }
  const payment = openPaymentOf(session)
  if (!payment && now >= session.expiresAt) return { kind: 'expired' }
  if (!payment) return { kind: 'choosing', last: session.payments.at(-1) ?? null }
  const { state } = payment
  if (state.kind === 'processing') return { kind: 'waiting', payment, until: state.until }
  if (state.kind !== 'prompted') return { kind: 'stuck' }
  return state.decidedUntil === null
    ? { kind: 'prompted', payment, closesAt: state.closesAt }
    : { kind: 'waiting', payment, until: state.decidedUntil }
}

/** While the sandbox's clock stands still, only a request to `/_sandbox` changes the payment. */
const STANDSTILL_SECONDS = 10

/**
 * Returns the number of seconds until the page reloads, in real time; `null` if the page does not reload. While the
 * customer types, a reload would discard the input; nobody knows when a person ends a jam. `speed` is how many times
 * faster than real time the sandbox's clock runs.
 */
export function refreshSecondsOf(pageState: PageState, now: number, speed: number): number | null {
  const { kind } = pageState
  if (kind !== 'prompted' && kind !== 'waiting') return null
  const end = kind === 'prompted' ? pageState.closesAt : pageState.until
  return speed === 0 ? STANDSTILL_SECONDS : Math.max(1, Math.ceil((end - now) / 1_000 / speed))
}
