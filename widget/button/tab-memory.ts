/**
 * Where the tab remembers an order's checkout, so that a reload resumes it (`checkout/resumption.ts`), and what the shopper
 * has typed (`checkout/typed-details.ts`). Without it, nothing is lost.
 */

import { settingsOf } from './checkout-settings.ts'

import type { ElementHost } from './element-host.ts'

/**
 * Calls `use` with the tab's session storage, and with the key under which the id of the order's checkout lies in it,
 * so that a reload resumes the checkout. What else is kept for the order has a key that ends with this one: an order may be
 * any text, and would otherwise be the order and the rest of another key.
 *
 * Returns `null` if `use` throws: the storage is blocked or full, or another script wrote what `use` cannot parse.
 * Without the id, the next click on the button resumes the checkout, because the BFF returns the order's existing
 * checkout.
 */
export function useTabStorage<Result>(
  host: ElementHost,
  use: (storage: Storage, key: string) => Result,
): Result | null {
  const { base, order } = settingsOf(host)
  try {
    return use(host.environment.window.sessionStorage, `gateway-checkout ${base} ${order}`)
  } catch {
    return null
  }
}
