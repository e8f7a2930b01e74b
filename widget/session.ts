/**
 * Computes the checkout session as a pure state machine: `transition` maps a session and an event to the next session.
 *
 * Clicks, closed windows and page loads never change the outcome, only what the element offers. The outcome comes from
 * the last view. Once there is a view, a failed request only adds a note to the view.
 */

import { IDLE, mayStart, payUrl, viewOf } from './session/state.ts'

import type { CheckoutView } from '../server/api/view.ts'
import type { Failure } from './failure.ts'
import type { Payer, PayerField } from './payer.ts'
import type { Following, HostedPage, Origin, Session } from './session/state.ts'

export type SessionEvent =
  /** The form opens. `problems`: the fields that the browser found invalid; empty before the first submit. */
  | { type: 'details'; problems: readonly PayerField[] }
  | { type: 'started'; payer: Payer; page: HostedPage }
  /** The element found an existing checkout, in the place that `origin` names. */
  | { type: 'resumed'; checkoutId: string; origin: Origin }
  | { type: 'view'; view: CheckoutView }
  | { type: 'failed'; failure: Failure }
  | { type: 'page'; page: HostedPage }
  | { type: 'reset' }

/** Returns the session after an event; the same object if the event changes nothing. */
export function transition(session: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'details':
      return mayStart(session) ? { at: 'details', problems: event.problems, failure: null } : session
    case 'started':
      return mayStart(session) ? { at: 'starting', payer: event.payer, page: event.page } : session
    case 'resumed':
      return resume(session, event.checkoutId, event.origin)
    case 'view':
      return receiveView(session, event.view)
    case 'failed':
      return fail(session, event.failure)
    case 'page':
      return 'page' in session ? { ...session, page: event.page } : session
    case 'reset':
      return IDLE
  }
}

/** Returns the session that follows a checkout. A current checkout is only replaced by one that the attribute names. */
function resume(session: Session, checkoutId: string, origin: Origin): Session {
  if (session.at === 'starting') return session
  const isKept = session.at === 'following' && (session.checkoutId === checkoutId || origin !== 'attribute')
  return isKept ? session : following(checkoutId, origin)
}

function following(checkoutId: string, origin: Origin): Following {
  return { at: 'following', checkoutId, view: null, trouble: null, page: 'none', origin }
}

/**
 * Returns the session with a new view. A view that is older than the one shown, and any view after a settled one, is
 * ignored.
 */
function receiveView(session: Session, view: CheckoutView): Session {
  if (session.at === 'starting') {
    const started: Following = { ...following(view.checkout_id, 'initiate'), view }
    // If the order's checkout is settled or being paid, there is no hosted page to open.
    return payUrl(viewOf(started)) ? { ...started, page: session.page } : started
  }
  if (session.at !== 'following' || session.checkoutId !== view.checkout_id) return session
  const shown = session.view
  return shown && (shown.settled || view.version < shown.version)
    ? session
    : { ...session, view, trouble: null }
}

/**
 * Returns the session after a failed request. After the first view, no failure ends the session, because a payment may
 * be in progress. Before the first view, wrong payer fields open the form again, and any other failure is shown as an
 * error, unless the request is repeated or the checkout came from this tab's storage.
 */
function fail(session: Session, failure: Failure): Session {
  if (session.at === 'following') {
    if (session.view !== null || failure.retryable) return { ...session, trouble: failure }
    if (session.origin === 'memory') return IDLE
  }
  const problems = failure.fields
  return problems.length > 0 ? { at: 'details', problems, failure } : { at: 'error', failure }
}
