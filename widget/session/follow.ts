/** While there is a checkout: what is seen of it, and of its page. */

import { IDLE, payableAt, payerOf, viewOf } from './state.ts'
import { complain, still, tell } from './step.ts'

import type { View } from '../../server/contract/view.ts'
import type { Failure } from '../failure.ts'
import type { Launch } from '../launcher.ts'
import type { Following, Origin, Session, Starting } from './state.ts'
import type { Effect, Step } from './step.ts'

export function reopen(session: Following, launch: Launch): Step {
  const url = payableAt(session)
  if (url === null) return still(session)
  if (launch === 'redirect') {
    return { session: { ...session, page: 'left' }, effects: [{ do: 'leave', url }] }
  }
  return { session: { ...session, page: 'open' }, effects: [{ do: 'open-popup', url }] }
}

export function closePage<S extends Starting | Following>(session: S): Step {
  if (session.page !== 'open') return still(session)
  return {
    session: { ...session, page: 'closed' },
    effects: [{ do: 'tell', news: { type: 'close', detail: viewOf(session) } }, { do: 'ask' }],
  }
}

/** A checkout that the page names itself replaces another; what is merely remembered never does. */
export function takeUp(session: Session, checkoutId: string, origin: Origin): Step {
  if (session.at === 'starting') return still(session)
  if (session.at === 'following' && (session.checkoutId === checkoutId || origin !== 'attribute')) {
    return still(session)
  }
  return {
    session: {
      at: 'following',
      checkoutId,
      view: null,
      trouble: null,
      page: 'none',
      payer: payerOf(session),
      origin,
    },
    effects: [
      { do: 'remember', checkoutId },
      { do: 'follow', checkoutId, fresh: false },
    ],
  }
}

/** An older view than the one shown is an answer that was overtaken. */
export function report(session: Following, view: View): Step {
  if (view.checkout_id !== session.checkoutId) return still(session)
  if (session.view !== null && view.version < session.view.version) return still(session)
  const effects = tell(session.view, view)
  return {
    session: { ...session, view, trouble: null },
    effects: view.settled ? [...effects, { do: 'stop' }] : effects,
  }
}

/** Once a checkout has been seen, no failure ends the asking: money may be on its way. */
export function trouble(session: Following, failure: Failure): Step {
  if (session.view !== null || failure.retryable) return still({ ...session, trouble: failure })
  const silent = session.origin === 'memory'
  return {
    session: silent ? IDLE : { at: 'error', failure, payer: session.payer },
    effects: [{ do: 'stop' }, { do: 'forget' }, ...(silent ? [] : [complain(failure)])],
  }
}

/** A repeated initiate is harmless: the same order resumes its checkout. */
export function resume(session: Session): Effect[] {
  if (session.at === 'starting') {
    return [{ do: 'initiate', payer: session.payer, launch: session.launch }]
  }
  if (session.at === 'following' && session.view?.settled !== true) {
    return [{ do: 'follow', checkoutId: session.checkoutId, fresh: false }]
  }
  return []
}
