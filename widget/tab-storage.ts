/**
 * Stores each order's checkout id in the tab's session storage, so that a reload resumes the checkout. If the storage
 * is not available, the next click on the button resumes the checkout: the BFF then returns the order's existing
 * checkout.
 */

/** Stores an order's checkout id in this tab; `null` removes the stored id. */
export function storeCheckoutId(window: Window, key: string, checkoutId: string | null): void {
  try {
    if (checkoutId === null) window.sessionStorage.removeItem(key)
    else window.sessionStorage.setItem(key, checkoutId)
  } catch {
    // Storage is blocked or full.
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
