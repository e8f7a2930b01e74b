/** The states of a checkout session, and what follows from a state alone. */

import type { CheckoutView, Outcome } from '../../server/api/view.ts'
import type { Failure } from '../failure.ts'
import type { Payer, PayerField } from '../payer.ts'

/**
 * The pop-up with the hosted page; `none` when the hosted page opens in this window. `closed` is a hint: a hosted
 * page with `Cross-Origin-Opener-Policy` looks closed while it is open.
 */
export type HostedPage = 'none' | 'open' | 'blocked' | 'closed'

/** Where the element got the checkout id from. Only a checkout from `memory` may disappear without an error. */
export type Origin = 'initiate' | 'attribute' | 'fragment' | 'memory'

export interface Details {
  at: 'details'
  /** Fields whose value is missing or wrong. */
  problems: readonly PayerField[]
  /** The BFF's error, when the BFF found the problems. */
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
  /** `null` until the BFF has answered once. */
  view: CheckoutView | null
  /** Why the last request failed; `null` after a request that succeeded. */
  trouble: Failure | null
  page: HostedPage
  origin: Origin
}

export type Session = { at: 'idle' } | Details | Starting | Following | { at: 'error'; failure: Failure }

export const IDLE: Session = { at: 'idle' }

/** What the element shows; also its `state` attribute. */
export type CheckoutState = 'idle' | 'details' | 'starting' | 'blocked' | Outcome | 'error'

export function stateOf(session: Session): CheckoutState {
  if (session.at !== 'following') return session.at
  const { view, page } = session
  return isBlocked(view, page) ? 'blocked' : (view?.outcome ?? 'waiting')
}

export function viewOf(session: Session): CheckoutView | null {
  return session.at === 'following' ? session.view : null
}

/** Whether the shopper has to open the hosted page by a link, because the browser blocked the pop-up. */
export function isBlocked(view: CheckoutView | null, page?: HostedPage): boolean {
  return page === 'blocked' && view?.outcome === 'waiting' && payUrl(view) !== null
}

/** The address of the hosted page while the shopper can still pay there; else `null`, for example while `pending`. */
export function payUrl(view: CheckoutView | null): string | null {
  const isPayable = view !== null && !view.settled && /^(waiting|partial|unpaid)$/.test(view.outcome)
  return (isPayable && view.redirect_url) || null
}

/** Whether a pop-up is open, as far as this page can tell, and its checkout is not settled. */
export function hasPopup(session: Session): boolean {
  return 'page' in session && session.page === 'open' && !viewOf(session)?.settled
}

/** [assumed] Whether a checkout may be started: there is none yet, or it ended without money. */
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
