/** Defines the states of the element (type `Session`), and values computed from a state. Pure. */

import type { CheckoutView, Outcome } from '../../server/api/view.ts'
import type { Failure } from './failure.ts'
import type { Payer, PayerField } from './payer.ts'

/**
 * The state of the pop-up; `none` if the hosted page opens in this window. If the hosted page sends
 * `Cross-Origin-Opener-Policy`, an open pop-up counts as `closed`, because the browser reports it as closed.
 */
export type HostedPage = 'none' | 'open' | 'blocked' | 'closed'

/**
 * The source of the checkout id; `memory` is the tab's storage. If the BFF does not know a checkout from `memory`, the
 * element shows no error.
 */
export type Origin = 'initiate' | 'attribute' | 'fragment' | 'memory'

export interface Details {
  at: 'details'
  /** The fields that the browser or the BFF found invalid. */
  problems: readonly PayerField[]
  /** The BFF's error if the BFF found the invalid fields; otherwise `null`. */
  failure: Failure | null
}

export interface Starting {
  at: 'starting'
  payer: Payer
  page: HostedPage
  /**
   * The operator that asks the payer on the phone; empty text if the BFF chooses the operator; `null` if the shopper
   * pays on the hosted page.
   */
  operator: string | null
}

export interface Following {
  at: 'following'
  checkoutId: string
  /** The last view; `null` before the first view. */
  view: CheckoutView | null
  /** The failure of the last request; `null` after a successful request. */
  trouble: Failure | null
  page: HostedPage
  origin: Origin
}

export type Session = { at: 'idle' } | Details | Starting | Following | { at: 'error'; failure: Failure }

export const IDLE: Session = { at: 'idle' }

/** The state that the element shows, and the value of its `state` attribute. */
export type CheckoutState = 'idle' | 'details' | 'starting' | 'blocked' | Outcome | 'error'

export function stateOf(session: Session): CheckoutState {
  if (session.at !== 'following') {
    return session.at
  }

  const { view, page } = session
  return isBlocked(view, page) ? 'blocked' : (view?.outcome ?? 'waiting')
}

export function viewOf(session: Session): CheckoutView | null {
  return session.at === 'following' ? session.view : null
}

export function checkoutIdOf(session: Session): string | null {
  return session.at === 'following' ? session.checkoutId : null
}

/**
 * Returns a key for the work that a state needs: `methods` to name operators in the form, `initiate` for the initiate
 * request, or the id of the checkout whose status is watched. Returns `null` if the state needs no work.
 */
export function workOf(session: Session): string | null {
  if (session.at === 'details') {
    return 'methods'
  }
  return session.at === 'starting' ? 'initiate' : checkoutIdOf(session)
}

/** Returns whether the element asked on the payer's phone, instead of opening the hosted page. */
export function paysByPrompt(view: CheckoutView | null): boolean {
  return !!view?.prompt?.method
}

/** Returns whether the shopper may need the payment's reference: money came, or it is not known what became of it. */
export function hasReceipt(view: CheckoutView): boolean {
  if (phoneAsks(view)) {
    return false
  }

  const { outcome, settled } = view
  return (
    /^(paid|review|jammed|pending|reversed|refunded)$/.test(outcome) || (outcome === 'partial' && settled)
  )
}

/** Returns whether the shopper needs a link to the hosted page, because the browser blocked the pop-up. */
export function isBlocked(view: CheckoutView | null, page?: HostedPage): boolean {
  return page === 'blocked' && view?.outcome === 'waiting' && payUrl(view) !== null
}

/** Returns whether the shopper's phone asks for the payment. The gateway reports an open prompt as pending (703). */
export function phoneAsks(view: CheckoutView | null): boolean {
  if (!view) {
    return false
  }

  const { outcome, payments } = view
  const last = payments.at(-1)
  if (paysByPrompt(view)) {
    return outcome === 'waiting' || (outcome === 'pending' && last?.status === 703)
  }
  return outcome === 'waiting' && last?.outcome === 'waiting'
}

/** Returns whether the gateway may still report a payment, as far as the last view says. */
export function isPayable({ settled, outcome }: CheckoutView): boolean {
  return !settled && /^(waiting|partial|unpaid)$/.test(outcome)
}

/** Returns whether the prompt of this checkout may still be approved. */
export function isPrompting(view: CheckoutView | null): view is CheckoutView {
  return paysByPrompt(view) && phoneAsks(view)
}

/** Returns the hosted page's URL while the shopper can pay on the hosted page; otherwise `null`. */
export function payUrl(view: CheckoutView | null): string | null {
  return (view && isPayable(view) && view.redirect_url) || null
}

/** Returns whether the shopper may be paying in the pop-up. */
export function hasPopup(session: Session): boolean {
  return 'page' in session && session.page === 'open' && !viewOf(session)?.settled
}

/** Returns whether no payment was confirmed, which the payer's SMS may contradict. */
export function isUnpaid({ outcome }: CheckoutView): boolean {
  return /^(unpaid|expired)$/.test(outcome)
}
