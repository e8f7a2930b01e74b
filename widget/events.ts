/** What the element tells the page. All of it bubbles and crosses shadow roots. */

import type { CheckoutView } from '../server/api/view.ts'

declare global {
  interface HTMLElementEventMap {
    'checkout-open': CheckoutEvent<CheckoutView | null>
    'checkout-change': CheckoutEvent<CheckoutView>
    'checkout-paid': CheckoutEvent<CheckoutView>
    'checkout-partial': CheckoutEvent<CheckoutView>
    'checkout-unpaid': CheckoutEvent<CheckoutView>
    'checkout-expired': CheckoutEvent<CheckoutView>
    'checkout-settled': CheckoutEvent<CheckoutView>
    'checkout-close': CheckoutEvent<CheckoutView | null>
    'checkout-error': CheckoutEvent<CheckoutErrorDetail>
  }
}

/** Something is in the way of the payment, or of how it was meant to go: never that a payment failed. */
export interface CheckoutErrorDetail {
  /** Stable; the README lists them. */
  code: string
  /** For developers, in English. */
  message: string
  retryable: boolean
  view: CheckoutView | null
}

/** Only `checkout-open` can be cancelled: it comes before anything was done. */
export class CheckoutEvent<Detail = CheckoutView> extends CustomEvent<Detail> {
  constructor(type: `checkout-${string}`, detail: Detail) {
    super(type, { bubbles: true, composed: true, cancelable: type === 'checkout-open', detail })
  }
}
