import { settingsOf } from './checkout-settings.ts'

import type { ElementHost } from './element-host.ts'

/**
 * Uses the tab's session storage, and the key of the order's checkout id in it: a reload then resumes the checkout.
 * Returns `null` if the storage is blocked or full. The next click on the button then resumes the checkout, because the
 * BFF returns the order's existing checkout.
 */
export function inTab<Result>(
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
