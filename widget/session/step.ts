/** What can happen to a session, and what it can ask to be done. */

import { news } from '../news.ts'

import type { View } from '../../server/contract/view.ts'
import type { Failure } from '../failure.ts'
import type { Launch } from '../launcher.ts'
import type { News } from '../news.ts'
import type { Payer, PayerField } from '../payer.ts'
import type { Origin, Session } from './state.ts'

export type SessionEvent =
  /** `problems` lists what is wrong with what was typed, and is empty when nothing was typed yet. */
  | { type: 'details-needed'; draft: Payer; problems: readonly PayerField[] }
  | { type: 'details-cancelled' }
  | { type: 'begun'; payer: Payer; launch: Launch }
  | { type: 'initiated'; view: View }
  | { type: 'refused'; failure: Failure }
  | { type: 'page-reopened'; launch: Launch }
  /** The shopper followed the link that stands in for a blocked pop-up. */
  | { type: 'link-followed' }
  | { type: 'popup-blocked' }
  | { type: 'popup-closed' }
  | { type: 'taken-up'; checkoutId: string; origin: Origin }
  | { type: 'reported'; view: View }
  | { type: 'troubled'; failure: Failure }
  /** The element is on a page again. */
  | { type: 'resumed' }
  | { type: 'reset' }

export type Effect =
  | { do: 'initiate'; payer: Payer; launch: Launch }
  /** Without an address, a window that waits for one: it must open inside the click. */
  | { do: 'open-popup'; url: string | null }
  | { do: 'point-popup'; url: string }
  | { do: 'close-popup' }
  | { do: 'leave'; url: string }
  /** `fresh`: a view has just arrived, so the first question can wait. */
  | { do: 'follow'; checkoutId: string; fresh: boolean }
  | { do: 'ask' }
  | { do: 'stop' }
  | { do: 'remember'; checkoutId: string }
  | { do: 'forget' }
  | { do: 'tell'; news: News }

export interface Step {
  session: Session
  effects: readonly Effect[]
}

/** Nothing to do but to be in this state. */
export function still(session: Session): Step {
  return { session, effects: [] }
}

/** Tells the page why there is no checkout. */
export function complain({ code, message, retryable }: Failure): Effect {
  return { do: 'tell', news: { type: 'error', detail: { code, message, retryable, view: null } } }
}

/** Tells the page what is new in a view. */
export function tell(before: View | null, after: View): Effect[] {
  return news(before, after).map((item) => ({ do: 'tell', news: item }))
}
