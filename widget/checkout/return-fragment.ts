/**
 * Reads the checkout id when a shopper returns from the hosted page. The BFF redirects the shopper to the page with the
 * fragment `#gateway-checkout-{checkout_id}`, after an anchor of the page, or the route of a hash router:
 * `#/orders/7-gateway-checkout-…`.
 *
 * Anybody can write a link with this fragment. Therefore, the id stays only in memory until the BFF confirms that the
 * checkout belongs to the order of an element.
 */

/** For each window, the checkout id from the fragment of its URL. The element that resumes it removes the entry. */
export const arrivals = new WeakMap<Window, string>()

/**
 * Moves the checkout id from the page's URL to `arrivals`, and goes back to the route. Returns the stored id;
 * `undefined` if no id is stored.
 */
export function arrivalIn(window: Window): string | undefined {
  const { location, history } = window
  // An id has 24 characters, unlike an anchor of the page that begins alike.
  const found = /^(?<route>#.*)?[#-]gateway-checkout-(?<checkoutId>[\w-]{24})$/.exec(location.hash)
  const { route = '', checkoutId } = found?.groups ?? {}
  if (checkoutId) {
    arrivals.set(window, checkoutId)
    const url = location.href.replace(/#.*/, () => route)
    // Only a change of the fragment makes the router draw the route.
    if (route) {
      location.replace(url)
    } else {
      history.replaceState(history.state, '', url)
    }
  }
  return arrivals.get(window)
}
