/**
 * Stores each order's checkout id in the tab's session storage, so that a reload resumes the checkout, and what the
 * shopper typed (`entry.ts`). If the storage is not available, the next click on the button resumes the checkout: the
 * BFF then returns the order's existing checkout.
 */

export function store(window: Window, key: string, text: string): void {
  try {
    window.sessionStorage.setItem(key, text)
  } catch {
    // Storage is blocked or full.
  }
}

export function forget(window: Window, key: string): void {
  try {
    window.sessionStorage.removeItem(key)
  } catch {
    // Storage is blocked.
  }
}

export function readStored(window: Window, key: string): string | null {
  try {
    return window.sessionStorage.getItem(key)
  } catch {
    return null
  }
}

/** Returns the key of an order's checkout id. */
export function storageKey({ base, order }: { base: string | null; order: string }): string {
  return `gateway-checkout ${base} ${order}`
}
