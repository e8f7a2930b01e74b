/**
 * Which checkout belongs to which order, kept for this tab so that a reload takes it up again. Storage that is
 * blocked or full is no failure: the shopper presses the button again and the BFF resumes the same checkout.
 */

/** @param checkoutId `null` forgets. */
export function remember(window: Window, key: string, checkoutId: string | null): void {
  try {
    if (checkoutId === null) window.sessionStorage.removeItem(key)
    else window.sessionStorage.setItem(key, checkoutId)
  } catch {
    // Blocked or full.
  }
}

export function recall(window: Window, key: string): string | null {
  try {
    return window.sessionStorage.getItem(key)
  } catch {
    return null
  }
}
