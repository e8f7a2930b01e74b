/** What the element tells the page. All of them bubble and cross shadow roots. */

import type { View } from '../server/contract/view.ts'
import type { News } from './news.ts'

declare global {
  interface HTMLElementEventMap {
    'checkout-open': CheckoutOpenEvent
    'checkout-change': CheckoutEvent
    'checkout-paid': CheckoutEvent
    'checkout-partial': CheckoutEvent
    'checkout-unpaid': CheckoutEvent
    'checkout-expired': CheckoutEvent
    'checkout-settled': CheckoutEvent
    'checkout-close': CheckoutCloseEvent
    'checkout-error': CheckoutErrorEvent
  }
}

const OUTWARD = { bubbles: true, composed: true }

/** The gateway has confirmed something. `detail` is the view. */
export class CheckoutEvent extends CustomEvent<View> {
  constructor(type: string, detail: View) {
    super(type, { ...OUTWARD, detail })
  }
}

/**
 * The hosted page is about to be opened: inside the click, before any window or request. Cancel it to stop there.
 * `detail` is the view when the page is opened again, and `null` the first time.
 */
export class CheckoutOpenEvent extends CustomEvent<View | null> {
  constructor(detail: View | null) {
    super('checkout-open', { ...OUTWARD, cancelable: true, detail })
  }
}

/** The pop-up looks closed. Nothing follows from it for the payment. `detail` is the view, if there is one. */
export class CheckoutCloseEvent extends CustomEvent<View | null> {
  constructor(detail: View | null) {
    super('checkout-close', { ...OUTWARD, detail })
  }
}

export interface CheckoutErrorDetail {
  /** Stable; the README lists them. */
  code: string
  /** For developers, in English. */
  message: string
  retryable: boolean
  view: View | null
}

/** The payment could not be started, or the checkout could not be found. Never that a payment failed. */
export class CheckoutErrorEvent extends CustomEvent<CheckoutErrorDetail> {
  constructor(detail: CheckoutErrorDetail) {
    super('checkout-error', { ...OUTWARD, detail })
  }
}

export function createEvent(news: News): Event {
  switch (news.type) {
    case 'checkout-close':
      return new CheckoutCloseEvent(news.view)
    case 'checkout-error': {
      const { code, message, retryable } = news.failure
      return new CheckoutErrorEvent({ code, message, retryable, view: news.view })
    }
    case 'checkout-change':
    case 'checkout-paid':
    case 'checkout-partial':
    case 'checkout-unpaid':
    case 'checkout-expired':
    case 'checkout-settled':
      return new CheckoutEvent(news.type, news.view)
  }
}
