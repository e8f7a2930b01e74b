/**
 * Keeps the checkout id with which a shopper returned: the BFF redirects to the merchant's page with the fragment
 * `#gateway-checkout={checkout_id}`. Anybody can write such a link, so the id only waits here, in memory, until an
 * element has shown that the checkout belongs to its order.
 */

/** The waiting checkout id by window. */
export const arrivals = new WeakMap<Window, string>()

/** Moves the id out of the page's URL. Returns the waiting checkout id; `undefined` if there is none. */
export function arrivalIn(window: Window): string | undefined {
  const { location, history } = window
  const checkoutId = /^#gateway-checkout=([\w.~-]+)$/.exec(location.hash)?.[1]
  if (checkoutId) {
    history.replaceState(history.state, '', location.href.replace(/#.*/, ''))
    arrivals.set(window, checkoutId)
  }
  return arrivals.get(window)
}
