/**
 * The whole checkout session as one pure machine: what happened in, the next state and what to do out.
 *
 * It never guesses about money. A click, a window that closed and a page that came back change only what is
 * offered; the outcome is whatever the last view said, and an error after there is a checkout is a note beside
 * it. It knows no DOM, no time and no network.
 */

import { closePage, reopen, report, resume, takeUp, trouble } from './session/follow.ts'
import { abandon, begin, beginFollowing, refuse } from './session/start.ts'
import { IDLE, hasPage, mayBegin } from './session/state.ts'
import { still } from './session/step.ts'

import type { Session } from './session/state.ts'
import type { SessionEvent, Step } from './session/step.ts'

export function transition(session: Session, event: SessionEvent): Step {
  switch (event.type) {
    case 'details-needed':
      return mayBegin(session)
        ? { session: { at: 'details', draft: event.draft, problems: event.problems }, effects: [] }
        : still(session)
    case 'details-cancelled':
      return session.at === 'details' ? still(IDLE) : still(session)
    case 'begun':
      return begin(session, event.payer, event.launch)
    case 'initiated':
      return session.at === 'starting' ? beginFollowing(session, event.view) : still(session)
    case 'refused':
      return session.at === 'starting' || mayBegin(session) ? refuse(session, event.failure) : still(session)
    case 'page-reopened':
      return session.at === 'following' ? reopen(session, event.launch) : still(session)
    case 'link-followed':
      return session.at === 'following' ? still({ ...session, page: 'left' }) : still(session)
    case 'popup-blocked':
      return hasPage(session) ? still({ ...session, page: 'blocked' }) : still(session)
    case 'popup-closed':
      return hasPage(session) ? closePage(session) : still(session)
    case 'taken-up':
      return takeUp(session, event.checkoutId, event.origin)
    case 'reported':
      return session.at === 'following' ? report(session, event.view) : still(session)
    case 'troubled':
      return session.at === 'following' ? trouble(session, event.failure) : still(session)
    case 'resumed':
      return { session, effects: resume(session) }
    case 'reset':
      return { session: IDLE, effects: abandon(session) }
  }
}
