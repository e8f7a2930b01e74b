/**
 * Whether the shopper may have left a checkout here that the element has to resume. `checkout/resumption.ts`, in the second
 * file, finds out which one.
 */

import { useTabStorage } from './tab-memory.ts'

import type { ElementHost } from './element-host.ts'

/**
 * Returns whether there may be a checkout to resume. Reading the tab's storage holds up the first drawing of a page, so
 * that is not done where no link led: from a chat, a QR code or a bookmark, nobody returns.
 */
export function mayResume(host: ElementHost): boolean {
  const { window } = host.environment
  return Boolean(
    host.element.checkoutId ||
    window.location.hash.includes('gateway-checkout-') ||
    ((window.document.referrer || window.performance.navigation.type) &&
      useTabStorage(host, (tab, key) => tab.getItem(key))),
  )
}
