/** Defines the states of a checkout session, and the values derived from a state. Pure. */

import type { CheckoutView, Outcome } from '../../server/api/view.ts'
import type { Failure } from '../failure.ts'
import type { Payer, PayerField } from '../payer.ts'

/**
 * The state of the pop-up with the hosted page; `none` if the hosted page opens in this window. `closed` is not
 * certain: an open hosted page with `Cross-Origin-Opener-Policy` also looks closed.
 */
export type HostedPage = 'none' | 'open' | 'blocked' | 'closed'

/** The source of the checkout id. `memory` is this tab's storage; only its checkout may be unknown without an error. */
export type Origin = 'initiate' | 'attribute' | 'fragment' | 'memory'

export interface Details {
  at: 'details'
  /** The fields whose value is missing or wrong. */
  problems: readonly PayerField[]
  /** The BFF's error if the BFF found the problems; `null` if the browser did. */
  failure: Failure | null
}

export interface Starting {
  at: 'starting'
  payer: Payer
  page: HostedPage
}

export interface Following {
  at: 'following'
  checkoutId: string
  /** The last view; `null` until the BFF has answered once. */
  view: CheckoutView | null
  /** The failure of the last request; `null` after a successful request. */
  trouble: Failure | null
  page: HostedPage
  origin: Origin
}

export type Session = { at: 'idle' } | Details | Starting | Following | { at: 'error'; failure: Failure }

export const IDLE: Session = { at: 'idle' }

/** The state that the element shows. Its `state` attribute has the same value. */
export type CheckoutState = 'idle' | 'details' | 'starting' | 'blocked' | Outcome | 'error'

export function stateOf(session: Session): CheckoutState {
  if (session.at !== 'following') return session.at
  const { view, page } = session
  return isBlocked(view, page) ? 'blocked' : (view?.outcome ?? 'waiting')
}

export function viewOf(session: Session): CheckoutView | null {
  return session.at === 'following' ? session.view : null
}

/** Returns whether the shopper has to open the hosted page by a link, because the browser blocked the pop-up. */
export function isBlocked(view: CheckoutView | null, page?: HostedPage): boolean {
  return page === 'blocked' && view?.outcome === 'waiting' && payUrl(view) !== null
}

/** Returns the hosted page's URL while the shopper can pay there; otherwise `null`, for example while `pending`. */
export function payUrl(view: CheckoutView | null): string | null {
  const isPayable = view !== null && !view.settled && /^(waiting|partial|unpaid)$/.test(view.outcome)
  return (isPayable && view.redirect_url) || null
}

/** Returns whether a pop-up is open, as far as this page can tell, and its checkout is not settled. */
export function hasPopup(session: Session): boolean {
  return 'page' in session && session.page === 'open' && !viewOf(session)?.settled
}

/**
 * Returns whether a new checkout may be started. [assumed] It may be started if there is no checkout yet, or if the
 * last one ended without money.
 */
export function mayStart(session: Session): boolean {
  switch (session.at) {
    case 'idle':
    case 'details':
      return true
    case 'error':
      return session.failure.retryable
    case 'starting':
      return false
    case 'following':
      return session.view !== null && session.view.settled && /^(unpaid|expired)$/.test(session.view.outcome)
  }
}
