/** What the hosted page is about at this moment: one of a few scenes, decided from the session alone. */

import { CHECKOUT_STATUS } from '../../../server/contract/status.ts'
import { openPaymentOf, statusOf } from '../sessions/session.ts'
import type { CheckoutSession } from '../sessions/session.ts'
import type { Payment } from '../sessions/payment.ts'

export type PageState =
  /** The customer chooses how to pay, for the first time or again after `last`. */
  | { kind: 'choosing'; last: Payment | null }
  /** A prompt waits for the hands of whoever plays the customer. */
  | { kind: 'prompted'; payment: Payment; closesAt: number }
  /** Something will happen by itself, at about `until`. */
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

/** Real seconds after which the page loads itself again; `null` when nothing will happen by itself. */
export function refreshSecondsOf(pageState: PageState, now: number, speed: number): number | null {
  switch (pageState.kind) {
    case 'prompted':
      // Not before the prompt closes: an amount that somebody is typing would be lost.
      return realSeconds(pageState.closesAt - now, speed)
    case 'waiting':
      return Math.min(realSeconds(pageState.until - now, speed), MAX_WAIT_SECONDS)
    case 'stuck':
      return MAX_WAIT_SECONDS
    case 'choosing':
      // A form that somebody fills in is left alone; sent too late, it leads to the page that says so.
      return null
    case 'paid':
    case 'given_back':
    case 'expired':
      return null
  }
}

/** Somebody may decide through the control interface while the page waits, so it looks now and then. */
const MAX_WAIT_SECONDS = 10

/** A standing clock never gets there, so the page looks now and then. */
function realSeconds(ms: number, speed: number): number {
  return speed === 0 ? MAX_WAIT_SECONDS : Math.max(1, Math.ceil(ms / 1_000 / speed))
}
