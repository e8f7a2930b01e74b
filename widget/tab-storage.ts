/**
 * Remembers the checkout of each order in this tab's session storage, so that a reload resumes it. Where storage is
 * blocked or full, pressing the button again resumes the same checkout on the BFF.
 */

/**
 * Stores the checkout id of an order in this tab.
 *
 * @param checkoutId The id to store; `null` removes the stored id.
 */
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
