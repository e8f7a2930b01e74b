/**
 * Finds the element that a shopper returned to. The BFF redirects to the merchant's page with the fragment
 * `#gateway-checkout={checkout_id}`, and that page may hold several elements.
 *
 * [assumed] The first idle element in the document takes the fragment. When the view belongs to the order of another
 * element, that element gets the checkout. When no element has this order, no element gets the checkout,
 * except when the page has only one element, because its order may have been signed again.
 */

export interface ReturnTarget {
  readonly order: string
  readonly isIdle: boolean
  resume(checkoutId: string): void
}

/** The session controllers of all elements in the document. */
export const returnTargets = new Set<ReturnTarget>()

/**
 * Removes the fragment from the page's URL and returns its checkout id; `undefined` if there is no such fragment.
 * `replaceState` gets the full URL: a relative URL would be resolved against a `<base>`, or taken for another host if
 * the path begins with two slashes.
 */
export function takeReturnFragment({ location, history }: Window): string | undefined {
  const checkoutId = /^#gateway-checkout=([\w.~-]+)$/.exec(location.hash)?.[1]
  if (checkoutId) history.replaceState(history.state, '', location.href.replace(/#.*/, ''))
  return checkoutId
}

/**
 * Returns the idle elements that should get a checkout of `order`; `null` if the current element keeps the checkout.
 */
export function otherTargets(order: string, current: ReturnTarget): ReturnTarget[] | null {
  if (current.order === order || returnTargets.size < 2) return null
  return [...returnTargets].filter((target) => target.order === order && target.isIdle)
}
