/** Defines the element's DOM events, and computes the events that a change of the element's state causes. */

import { failure } from './failure.ts'
import { stateOf, viewOf } from './state.ts'

import type { CheckoutView, Outcome } from '../../server/api/view.ts'
import type { CheckoutErrorCode, Failure } from './failure.ts'
import type { Session } from './state.ts'

export interface CheckoutEventMap {
  /** The hosted page is about to open, in the click. `preventDefault()` cancels. */
  'checkout-open': CheckoutEvent<CheckoutView | null>
  /** The gateway has confirmed a change. */
  'checkout-change': CheckoutEvent<CheckoutView>
  /** The gateway has confirmed full payment. */
  'checkout-paid': CheckoutEvent<CheckoutView>
  /** The gateway has confirmed payment of a part of the amount. */
  'checkout-partial': CheckoutEvent<CheckoutView>
  /** Nothing is paid: a payment failed, or the session ended. */
  'checkout-unpaid': CheckoutEvent<CheckoutView>
  /** The session ended, and the shopper never tried to pay. */
  'checkout-expired': CheckoutEvent<CheckoutView>
  /** The checkout is settled, whatever its outcome. Once per checkout and page load. */
  'checkout-settled': CheckoutEvent<CheckoutView>
  /** The pop-up looks closed, which says nothing of the payment. */
  'checkout-close': CheckoutEvent<CheckoutView | null>
  /** An error, never a failed payment. */
  'checkout-error': CheckoutEvent<CheckoutErrorDetail>
}

declare global {
  /**
   * The types of the element's events, for listeners on the element, its ancestors, `document` and `window`. All these
   * listeners receive the events, because the events bubble and cross shadow roots.
   */
  interface GlobalEventHandlersEventMap extends CheckoutEventMap {}
}

/**
 * The `detail` of `checkout-error`. This event reports a failed request, a missing or invalid attribute, or a blocked
 * pop-up, but never a failed payment.
 */
export interface CheckoutErrorDetail {
  /** A stable error code. The README of the package lists all codes. */
  code: CheckoutErrorCode
  /** A message for developers, in English. */
  message: string
  /** Whether a later retry may succeed. */
  retryable: boolean
  /** The view of the checkout; `null` before the first view. */
  view: CheckoutView | null
}

/**
 * A DOM event of the element. Only `checkout-open` is cancelable: the element dispatches `checkout-open` before it
 * opens a window or sends a request.
 */
export class CheckoutEvent<Detail = CheckoutView> extends CustomEvent<Detail> {
  constructor(type: keyof CheckoutEventMap, detail: Detail) {
    super(type, { bubbles: true, composed: true, cancelable: type === 'checkout-open', detail })
  }
}

type EventName = keyof CheckoutEventMap extends `checkout-${infer Name}` ? Name : never

/** The name of a DOM event, without the prefix "checkout-", and the event's detail. */
export type DomEvent = [name: EventName, detail: CheckoutView | CheckoutErrorDetail | null]

/** A DOM event whose detail is a view that the gateway has confirmed. */
type ViewEvent = [name: Exclude<EventName, 'open' | 'close' | 'error'>, detail: CheckoutView]

/** Returns the DOM events for a change of the element's state, in the order in which they are dispatched. Pure. */
export function eventsBetween(before: Session, after: Session): DomEvent[] {
  const view = viewOf(after)
  const events: DomEvent[] =
    view === null || view === viewOf(before) ? [] : eventsOfView(viewOf(before), view)
  if ('page' in after && after.page === 'closed' && 'page' in before && before.page === 'open') {
    events.push(['close', view])
  }
  if (after !== before && 'failure' in after && after.failure) {
    events.push(errorEvent(after.failure, view))
  }
  if (stateOf(after) === 'blocked' && stateOf(before) !== 'blocked') {
    events.push(errorEvent(failure('popup_blocked'), view))
  }
  return events
}

export function errorEvent({ code, message, retryable }: Failure, view: CheckoutView | null): DomEvent {
  return ['error', { code, message, retryable, view }]
}

/**
 * Returns the DOM events for a new view. Returns no events while `status` is `null`, because the gateway has not yet
 * reported anything about the checkout. Pure.
 */
export function eventsOfView(before: CheckoutView | null, after: CheckoutView): ViewEvent[] {
  const { status, outcome, settled, version } = after
  if (status === null) {
    return []
  }

  const isNew = !before?.status || before.outcome !== outcome
  const events: ViewEvent[] = []
  if (isNew || settled || before.version !== version) {
    events.push(['change', after])
  }
  if (isNew && hasOwnEvent(outcome)) {
    events.push([outcome, after])
  }
  if (settled && !before?.settled) {
    events.push(['settled', after])
  }
  return events
}

function hasOwnEvent(outcome: Outcome): outcome is 'paid' | 'partial' | 'unpaid' | 'expired' {
  return /^(paid|partial|unpaid|expired)$/.test(outcome)
}
