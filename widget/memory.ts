/**
 * Which checkout belongs to which order, kept for this tab so that a reload takes it up again. Storage that is
 * blocked or full is no failure: the shopper presses the button again and the BFF resumes the same checkout.
 */

export interface Memory {
  remember(checkoutId: string): void
  recall(): string | null
  forget(): void
}

/**
 * @param storage read on each use, because reaching for blocked storage throws.
 * @param subject the order, and the server that knows it.
 */
export function createMemory(storage: () => Storage, subject: string): Memory {
  const key = `gateway-checkout ${subject}`
  return {
    remember: (checkoutId) => void attempt(() => storage().setItem(key, checkoutId)),
    recall: () => attempt(() => storage().getItem(key)),
    forget: () => void attempt(() => storage().removeItem(key)),
  }
}

/** `null` when the browser refuses. */
function attempt<T>(use: () => T): T | null {
  try {
    return use()
  } catch {
    return null
  }
}
