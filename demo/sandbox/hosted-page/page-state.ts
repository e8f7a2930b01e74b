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
  switch (status) {
    case CHECKOUT_STATUS.paid:
      return { kind: 'paid' }
    case CHECKOUT_STATUS.reversed:
      return { kind: 'given_back', as: 'reversed' }
    case CHECKOUT_STATUS.refunded:
      return { kind: 'given_back', as: 'refunded' }
    case CHECKOUT_STATUS.expired:
      return { kind: 'expired' }
    case CHECKOUT_STATUS.unpaid:
    case CHECKOUT_STATUS.partial:
    case CHECKOUT_STATUS.jammed:
    case CHECKOUT_STATUS.pending:
      return openPageStateOf(session, now)
  }
}

function openPageStateOf(session: CheckoutSession, now: number): PageState {
  const payment = openPaymentOf(session)
  if (!payment) {
    if (now >= session.expiresAt) return { kind: 'expired' }
    return { kind: 'choosing', last: session.payments.at(-1) ?? null }
  }
  const { state } = payment
  switch (state.kind) {
    case 'prompted':
      return state.decidedUntil === null
        ? { kind: 'prompted', payment, closesAt: state.closesAt }
        : { kind: 'waiting', payment, until: state.decidedUntil }
    case 'processing':
      return { kind: 'waiting', payment, until: state.until }
    case 'jammed':
    case 'paid':
    case 'failed':
    case 'reversed':
    case 'refunded':
      return { kind: 'stuck' }
  }
}

/**
 * Returns the number of seconds until the page reloads, in real time; `null` if the page does not reload. `speed` is
 * how many times faster than real time the sandbox's clock runs.
 */
export function refreshSecondsOf(pageState: PageState, now: number, speed: number): number | null {
  switch (pageState.kind) {
    case 'prompted':
      // Not before the prompt closes: a reload would discard an amount that the customer is typing.
      return realSeconds(pageState.closesAt - now, speed)
    case 'waiting':
      return realSeconds(pageState.until - now, speed)
    case 'stuck':
      // Nobody knows when a person ends it, and each reload would take a screen reader back to the top.
      return null
    case 'choosing':
      // A reload would discard the customer's input. A form sent after the expiry shows the expired state.
      return null
    case 'paid':
    case 'given_back':
    case 'expired':
      return null
  }
}

/** While the sandbox's clock stands still, only a request to `/_sandbox` changes the payment. */
const STANDSTILL_SECONDS = 10

function realSeconds(ms: number, speed: number): number {
  return speed === 0 ? STANDSTILL_SECONDS : Math.max(1, Math.ceil(ms / 1_000 / speed))
}
