/**
 * The whole checkout session as one pure machine: what happened in, the next state out.
 *
 * It never guesses about money. A click, a window that closed and a page that came back change only what is
 * offered; the outcome is whatever the last view said, and an error after there is a checkout is a note beside
 * it. It knows no DOM, no time and no network.
 */

import { IDLE, mayStart, payUrl, viewOf } from './session/state.ts'

import type { CheckoutView } from '../server/api/view.ts'
import type { Failure } from './failure.ts'
import type { Payer, PayerField } from './payer.ts'
import type { Following, HostedPage, Origin, Session } from './session/state.ts'

export type SessionEvent =
  /** `problems` lists what is wrong with what was typed, and is empty when nothing was typed yet. */
  | { type: 'asked'; problems: readonly PayerField[] }
  | { type: 'begun'; payer: Payer; page: HostedPage }
  | { type: 'taken-up'; checkoutId: string; origin: Origin }
  | { type: 'reported'; view: CheckoutView }
  | { type: 'failed'; failure: Failure }
  | { type: 'page-seen'; page: HostedPage }
  | { type: 'reset' }

/** The same session, when the event changes nothing. */
export function transition(session: Session, event: SessionEvent): Session {
  switch (event.type) {
    case 'asked':
      return mayStart(session) ? { at: 'details', problems: event.problems, failure: null } : session
    case 'begun':
      return mayStart(session) ? { at: 'starting', payer: event.payer, page: event.page } : session
    case 'taken-up':
      return takeUp(session, event.checkoutId, event.origin)
    case 'reported':
      return report(session, event.view)
    case 'failed':
      return fail(session, event.failure)
    case 'page-seen':
      return 'page' in session ? { ...session, page: event.page } : session
    case 'reset':
      return IDLE
  }
}

/** A checkout that the page names itself replaces another; what is merely remembered never does. */
function takeUp(session: Session, checkoutId: string, origin: Origin): Session {
  if (session.at === 'starting') return session
  const isKnown = session.at === 'following' && (session.checkoutId === checkoutId || origin !== 'attribute')
  return isKnown ? session : follow(checkoutId, origin)
}

function follow(checkoutId: string, origin: Origin): Following {
  return { at: 'following', checkoutId, view: null, trouble: null, page: 'none', origin }
}

/** An older view than the one shown is an answer that was overtaken, and after the end nothing is expected. */
function report(session: Session, view: CheckoutView): Session {
  if (session.at === 'starting') {
    const arrived: Following = { ...follow(view.checkout_id, 'initiate'), view }
    // The order may have ended already, or hold money: then there is no page to open.
    return payUrl(viewOf(arrived)) ? { ...arrived, page: session.page } : arrived
  }
  if (session.at !== 'following' || session.checkoutId !== view.checkout_id) return session
  const shown = session.view
  return shown && (shown.settled || view.version < shown.version)
    ? session
    : { ...session, view, trouble: null }
}

/**
 * Once a checkout has been seen, no failure ends the asking: money may be on its way. What is wrong with the payer
 * is asked for again; everything else is said.
 */
function fail(session: Session, failure: Failure): Session {
  if (session.at === 'following') {
    if (session.view !== null || failure.retryable) return { ...session, trouble: failure }
    if (session.origin === 'memory') return IDLE
  }
  const problems = failure.fields
  return problems.length > 0 ? { at: 'details', problems, failure } : { at: 'error', failure }
}
