/**
 * Finds the element that a shopper returned to. The BFF redirects to the merchant's page with the fragment
 * `#gateway-checkout={checkout_id}`. The merchant's page may contain several elements.
 *
 * [assumed] The first idle element takes the fragment and retrieves the checkout's view. If another element has the
 * order of this view, that element gets the checkout. If no element has the order, no element gets the checkout. A
 * single element on a page always keeps the checkout, because the element's order may have been signed again.
 */

export interface ReturnTarget {
  readonly order: string
  readonly isIdle: boolean
  resume(checkoutId: string): void
}

/** The session controllers of all elements in the document. */
export const returnTargets = new Set<ReturnTarget>()

/** Removes the fragment from the page's URL. Returns the fragment's checkout id; `undefined` without a fragment. */
export function takeReturnFragment({ location, history }: Window): string | undefined {
  const checkoutId = /^#gateway-checkout=([\w.~-]+)$/.exec(location.hash)?.[1]
  if (checkoutId) history.replaceState(history.state, '', location.href.replace(/#.*/, ''))
  return checkoutId
}

/** Returns the idle elements that should get a checkout of `order`; `null` if `current` keeps the checkout. */
export function otherTargets(order: string, current: ReturnTarget): ReturnTarget[] | null {
  if (current.order === order || returnTargets.size < 2) return null
  return [...returnTargets].filter((target) => target.order === order && target.isIdle)
}
