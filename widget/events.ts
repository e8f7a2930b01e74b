/** What the element tells the page. All of it bubbles and crosses shadow roots. */

import type { View } from '../server/api/view.ts'

declare global {
  interface HTMLElementEventMap {
    'checkout-open': CheckoutEvent<View | null>
    'checkout-change': CheckoutEvent<View>
    'checkout-paid': CheckoutEvent<View>
    'checkout-partial': CheckoutEvent<View>
    'checkout-unpaid': CheckoutEvent<View>
    'checkout-expired': CheckoutEvent<View>
    'checkout-settled': CheckoutEvent<View>
    'checkout-close': CheckoutEvent<View | null>
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
  view: View | null
}

/** Only `checkout-open` can be cancelled: it comes before anything was done. */
export class CheckoutEvent<Detail = View> extends CustomEvent<Detail> {
  constructor(type: `checkout-${string}`, detail: Detail) {
    super(type, { bubbles: true, composed: true, cancelable: type === 'checkout-open', detail })
  }
}
