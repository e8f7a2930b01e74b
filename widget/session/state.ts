/** What a checkout session can be, and what follows from it alone. */

import type { Outcome, CheckoutView } from '../../server/api/view.ts'
import type { Failure } from '../failure.ts'
import type { Payer, PayerField } from '../payer.ts'

/**
 * The pop-up as this page sees it; `none` where this page goes to the hosted page itself. `closed` is a hint: a hosted page that cuts its opener off looks closed while
 * it is open.
 */
export type HostedPage = 'none' | 'open' | 'blocked' | 'closed'

/** Where an existing checkout was heard of. Only what was remembered may vanish without a word. */
export type Origin = 'initiate' | 'attribute' | 'fragment' | 'memory'

export interface Details {
  at: 'details'
  /** What is wrong with what was typed. */
  problems: readonly PayerField[]
  /** The BFF's refusal, when it was the BFF that found the problems. */
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
  /** Why the last question was not answered, while it was not. */
  trouble: Failure | null
  page: HostedPage
  origin: Origin
}

export type Session = { at: 'idle' } | Details | Starting | Following | { at: 'error'; failure: Failure }

export const IDLE: Session = { at: 'idle' }

/** What the page shows and reflects as its `state` attribute. */
export type CheckoutState = 'idle' | 'details' | 'starting' | 'blocked' | Outcome | 'error'

export function stateOf(session: Session): CheckoutState {
  if (session.at !== 'following') return session.at
  const outcome = session.view?.outcome ?? 'waiting'
  const isBlocked = session.page === 'blocked' && outcome === 'waiting' && payableAt(session)
  return isBlocked ? 'blocked' : outcome
}

export function viewOf(session: Session): CheckoutView | null {
  return session.at === 'following' ? session.view : null
}

/** The hosted page, while money can still be paid there and nobody is asked to hold back; else `null`. */
export function payableAt(session: Session): string | null {
  const view = viewOf(session)
  const invites = view !== null && !view.settled && /^(waiting|partial|unpaid)$/.test(view.outcome)
  return (invites && view.redirect_url) || null
}

/** Whether a pop-up of ours is open, as far as this page can tell, and still matters. */
export function hasPopup(session: Session): boolean {
  return 'page' in session && session.page === 'open' && !viewOf(session)?.settled
}

/** [assumed] Whether a checkout may be initiated now: nothing is under way, or it ended without money. */
export function mayBegin(session: Session): boolean {
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
