/**
 * Defines `<gateway-checkout>`. If the name is already defined, by a second load or another version, this module does
 * nothing: a second definition would throw and stop the page's script.
 */

import { GatewayCheckout } from './index.ts'

export * from './index.ts'

/**
 * A pattern for the URL of the script if a BFF serves it. [assumed] Only a BFF serves the script at this path. The
 * script's origin is then the BFF's, so the tag needs no `server` attribute.
 */
const SERVED_AT = /^(https?:\/\/[^/]+)\/gateway-checkout\.js([?#]|$)/

declare global {
  interface HTMLElementTagNameMap {
    'gateway-checkout': GatewayCheckout
  }
}

if (typeof customElements !== 'undefined' && customElements.get('gateway-checkout') === undefined) {
  // An inlined or evaluated script has no URL.
  const [, origin] = SERVED_AT.exec(import.meta.url) ?? []
  if (origin) GatewayCheckout.defaultServer = origin
  customElements.define('gateway-checkout', GatewayCheckout)
}
