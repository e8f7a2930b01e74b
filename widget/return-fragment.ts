/**
 * Reads the checkout id when a shopper returns from the hosted page. The BFF redirects the shopper to the page with the
 * fragment `#gateway-checkout={checkout_id}`.
 *
 * Anybody can write a link with this fragment. Therefore, the id stays only in memory until the BFF confirms that the
 * checkout belongs to the order of an element.
 */

/**
 * For each window, the checkout id from the fragment of its URL. The element that resumes this checkout removes the
 * entry.
 */
export const arrivals = new WeakMap<Window, string>()

/** Moves the checkout id from the page's URL to `arrivals`. Returns the stored id; `undefined` if no id is stored. */
export function arrivalIn(window: Window): string | undefined {
  const { location, history } = window
  const checkoutId = /^#gateway-checkout=([\w.~-]+)$/.exec(location.hash)?.[1]
  if (checkoutId) {
    history.replaceState(history.state, '', location.href.replace(/#.*/, ''))
    arrivals.set(window, checkoutId)
  }
  return arrivals.get(window)
}
