/**
 * Defines `<gateway-checkout>`. When the name is already defined, by a second load or another version, it does
 * nothing: a second definition would throw and stop the page's script.
 */

import { GatewayCheckout } from './index.ts'

export * from './index.ts'

/** [assumed] Only a BFF serves the script at this path. Then the tag needs no `server` attribute. */
const SERVED_AT = /^(https?:\/\/[^/]+)\/gateway-checkout\.js([?#]|$)/

declare global {
  interface HTMLElementTagNameMap {
    'gateway-checkout': GatewayCheckout
  }
}

if (typeof customElements !== 'undefined' && customElements.get('gateway-checkout') === undefined) {
  // An inlined script, or one that is run as text, has no address.
  const [, origin] = SERVED_AT.exec(import.meta.url) ?? []
  if (origin) GatewayCheckout.defaultServer = origin
  customElements.define('gateway-checkout', GatewayCheckout)
}
