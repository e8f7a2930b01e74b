/**
 * Reads the checkout id of a returning shopper: the BFF redirects to the merchant's page with the fragment
 * `#gateway-checkout={checkout_id}`. Anybody can write a link with such a fragment. The id is therefore only kept in
 * memory until the BFF confirms that the checkout belongs to an element's order.
 */

/** The checkout id from the URL's fragment, by window. An element that resumes the checkout removes the id. */
export const arrivals = new WeakMap<Window, string>()

/** Moves the checkout id from the page's URL to `arrivals`. Returns the stored id; `undefined` if there is none. */
export function arrivalIn(window: Window): string | undefined {
  const { location, history } = window
  const checkoutId = /^#gateway-checkout=([\w.~-]+)$/.exec(location.hash)?.[1]
  if (checkoutId) {
    history.replaceState(history.state, '', location.href.replace(/#.*/, ''))
    arrivals.set(window, checkoutId)
  }
  return arrivals.get(window)
}
