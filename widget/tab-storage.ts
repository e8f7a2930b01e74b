/**
 * Stores each order's checkout id in the tab's session storage, so that a reload resumes the checkout. If the storage
 * is not available, the next click on the button resumes the checkout: the BFF then returns the order's existing
 * checkout.
 */

/** Stores an order's checkout id in this tab. */
export function storeCheckoutId(window: Window, key: string, checkoutId: string): void {
  try {
    window.sessionStorage.setItem(key, checkoutId)
  } catch {
    // Storage is blocked or full.
  }
}

/** Removes an order's checkout id from this tab. */
export function forgetCheckoutId(window: Window, key: string): void {
  try {
    window.sessionStorage.removeItem(key)
  } catch {
    // Storage is blocked.
  }
}

export function readCheckoutId(window: Window, key: string): string | null {
  try {
    return window.sessionStorage.getItem(key)
  } catch {
    return null
  }
}

export function storageKey(base: string | null, order: string): string {
  return `gateway-checkout ${base} ${order}`
}
