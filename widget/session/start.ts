/** From the press of the button to a checkout, or to a reason why there is none. */

import { mayBegin, payableAt, payerOf } from './state.ts'
import { complain, still, tell } from './step.ts'

import type { View } from '../../server/contract/view.ts'
import type { Failure } from '../failure.ts'
import type { Launch } from '../launcher.ts'
import type { Payer } from '../payer.ts'
import type { Following, Session, Starting } from './state.ts'
import type { Effect, Step } from './step.ts'

export function begin(session: Session, payer: Payer, launch: Launch): Step {
  if (!mayBegin(session)) return still(session)
  const initiate: Effect = { do: 'initiate', payer, launch }
  return {
    session: { at: 'starting', payer, launch, page: launch === 'popup' ? 'open' : 'none' },
    effects: launch === 'popup' ? [{ do: 'open-popup', url: null }, initiate] : [initiate],
  }
}

/** The order may have ended already, or hold money: then there is a view and no page to open. */
export function beginFollowing(starting: Starting, view: View): Step {
  const checkoutId = view.checkout_id
  const arrived: Following = {
    at: 'following',
    checkoutId,
    view,
    trouble: null,
    page: 'none',
    payer: starting.payer,
    origin: 'initiate',
  }
  const effects: Effect[] = [{ do: 'remember', checkoutId }, ...tell(null, view)]
  if (!view.settled) effects.push({ do: 'follow', checkoutId, fresh: true })

  const url = payableAt(arrived)
  if (url === null) return { session: arrived, effects: [...effects, { do: 'close-popup' }] }
  if (starting.launch === 'redirect') {
    return { session: { ...arrived, page: 'left' }, effects: [...effects, { do: 'leave', url }] }
  }
  if (starting.page === 'open') effects.push({ do: 'point-popup', url })
  return { session: { ...arrived, page: starting.page }, effects }
}

/** A pop-up that still waits for its address would wait for ever. */
export function abandon(session: Session): Effect[] {
  return session.at === 'starting' ? [{ do: 'stop' }, { do: 'close-popup' }] : [{ do: 'stop' }]
}

/** What is wrong with the payer is asked for again; everything else is said. */
export function refuse(session: Session, failure: Failure): Step {
  const payer = payerOf(session)
  return {
    session:
      failure.fields.length > 0
        ? { at: 'details', draft: payer, problems: failure.fields }
        : { at: 'error', failure, payer },
    effects: [{ do: 'close-popup' }, complain(failure)],
  }
}
