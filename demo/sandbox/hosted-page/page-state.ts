// The states of the hosted page, and how long it waits in each.

import { CHECKOUT_STATUS } from '../../../server/contract/status.ts'
import { openPaymentOf, statusOf } from '../sessions/session.ts'

import type { Payment } from '../sessions/payment.ts'
import type { CheckoutSession } from '../sessions/session.ts'

/** The state of the hosted page. All times are in milliseconds since the Unix epoch. */
export type PageState =
  /** The customer chooses how to pay, for the first time or after the attempt `last`. */
  | { kind: 'choosing'; last: Payment | null; until: number }
  /** The customer is asked on the phone, and nothing has decided the answer yet. */
  | { kind: 'prompted'; payment: Payment; until: number }
  /** The answer is decided, or the approved money is on its way. */
  | { kind: 'waiting'; payment: Payment; until: number }
  | { kind: 'stuck' }
  | { kind: 'paid' }
  | { kind: 'given_back'; as: 'reversed' | 'refunded' }
  | { kind: 'expired' }

export function pageStateOf(session: CheckoutSession, now: number): PageState {
  const status = statusOf(session, now)
  if (status === CHECKOUT_STATUS.paid) {
    return { kind: 'paid' }
  }
  if (status === CHECKOUT_STATUS.reversed) {
    return { kind: 'given_back', as: 'reversed' }
  }
  if (status === CHECKOUT_STATUS.refunded) {
    return { kind: 'given_back', as: 'refunded' }
  }

  const payment = openPaymentOf(session)
  if (!payment && now >= session.expiresAt) {
    return { kind: 'expired' }
  }
  if (!payment) {
    return { kind: 'choosing', last: session.payments.at(-1) ?? null, until: session.expiresAt }
  }

  const { state } = payment
  if (state.kind === 'processing') {
    return { kind: 'waiting', payment, until: state.until }
  }
  if (state.kind !== 'prompted') {
    return { kind: 'stuck' }
  }

  return state.decidedUntil === null
    ? { kind: 'prompted', payment, until: state.closesAt }
    : { kind: 'waiting', payment, until: state.decidedUntil }
}

/** While the sandbox's clock stands still, a request to `/_sandbox` changes the payment; a person ends a jam. */
const SELDOM_SECONDS = 10
/** The longest wait of a page: a timer of a browser ends at once if it is longer than 24 days. */
export const MAX_SECONDS = 86_400

/**
 * Returns the number of seconds until the page reloads, in real time; `null` if the page does not reload. A reload
 * discards what the customer has typed, so the form stays as long as it can be paid. `speed` is how many times faster
 * than real time the sandbox's clock runs.
 */
export function refreshSecondsOf(state: PageState, now: number, speed: number): number | null {
  if (!('until' in state)) {
    return state.kind === 'stuck' ? SELDOM_SECONDS : null
  }
  if (speed === 0) {
    return state.kind === 'choosing' ? null : SELDOM_SECONDS
  }
  return Math.min(MAX_SECONDS, Math.max(1, Math.ceil((state.until - now) / 1_000 / speed)))
}
