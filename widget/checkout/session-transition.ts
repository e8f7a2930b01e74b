/**
 * Computes the element's next state (a `Session`) from an event. Pure.
 *
 * The element shows only the outcome in the last view. Clicks, closed windows and page loads never change this outcome.
 * If a request fails after the first view, the element only adds a note below the outcome.
 */

import { mayStart } from '../state/next-steps.ts'
import { IDLE, payUrl, viewOf } from '../state/state.ts'

import type { CheckoutView } from '../../server/api/view.ts'
import type { Failure } from '../state/failure.ts'
import type { Payer, PayerField } from '../state/payer.ts'
import type { Following, HostedPage, Origin, Session } from '../state/state.ts'

export type SessionEvent =
  /**
   * The form for the payer's details opens. `problems` contains the fields that the browser found invalid, and is empty
   * before the first submit.
   */
  | { type: 'details'; problems: readonly PayerField[] }
  | { type: 'started'; payer: Payer; page: HostedPage; operator: string | null }
  /** The element found an existing checkout in the place that `origin` names. */
  | { type: 'resumed'; checkoutId: string; origin: Origin }
  | { type: 'view'; view: CheckoutView }
  | { type: 'failed'; failure: Failure }
  | { type: 'page'; page: HostedPage }
  | { type: 'reset' }

/** Returns the element's state after an event; `session` itself if the event changes nothing. */
export function transition(session: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'details':
      return mayStart(session) ? { at: 'details', problems: event.problems, failure: null } : session
    case 'started': {
      const { payer, page, operator } = event
      return mayStart(session) ? { at: 'starting', payer, page, operator } : session
    }
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

/**
 * Returns the state after an existing checkout was found. An element that already shows another checkout ignores the
 * found checkout, unless the `checkout-id` attribute names the found checkout.
 */
function resume(session: Session, checkoutId: string, origin: Origin): Session {
  if (session.at === 'starting') {
    return session
  }

  const isKept = session.at === 'following' && (session.checkoutId === checkoutId || origin !== 'attribute')
  return isKept ? session : following(checkoutId, origin)
}

function following(checkoutId: string, origin: Origin): Following {
  return { at: 'following', checkoutId, view: null, trouble: null, page: 'none', origin }
}

/**
 * Returns the element's state after a new view has arrived. Older views are ignored. A settled view is followed only by
 * a newer one: the payment was reversed or refunded, or came late.
 */
function receiveView(session: Session, view: CheckoutView): Session {
  if (session.at === 'starting') {
    const started: Following = { ...following(view.checkout_id, 'initiate'), view }
    // If the order's checkout is settled or being paid, there is no hosted page to open.
    return payUrl(viewOf(started)) ? { ...started, page: session.page } : started
  }
  if (session.at !== 'following' || session.checkoutId !== view.checkout_id) {
    return session
  }

  const shown = session.view
  return shown && view.version < shown.version + Number(shown.settled)
    ? session
    : { ...session, view, trouble: null }
}

/**
 * Returns the element's state after a failed request.
 *
 * The element keeps its checkout if a view has already arrived, or if a retry may succeed, because a payment may be in
 * progress. Otherwise, a checkout from the tab's storage is dropped without an error. In all other cases, the element
 * opens the form again for invalid payer fields, and shows any other failure as an error.
 */
function fail(session: Session, failure: Failure): Session {
  if (session.at === 'following') {
    if (session.view !== null || failure.retryable) {
      return { ...session, trouble: failure }
    }
    if (session.origin === 'memory') {
      return IDLE
    }
  }

  return failure.fields.length > 0
    ? { at: 'details', problems: failure.fields, failure }
    : { at: 'error', failure }
}
