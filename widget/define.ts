/**
 * Registers `<gateway-checkout>`, once. A second load, or another version that came first, is left as it is:
 * a name can be defined only once in a page, and throwing would break whatever else the script does.
 */

import { GatewayCheckout } from './index.ts'

export * from './index.ts'

/** [assumed] The path at which only a BFF serves the element. From there, the tag needs no `server` attribute. */
const SERVED_AT = /^(https?:\/\/[^/]+)\/gateway-checkout\.js([?#]|$)/

declare global {
  interface HTMLElementTagNameMap {
    'gateway-checkout': GatewayCheckout
  }
}

if (typeof customElements !== 'undefined' && customElements.get('gateway-checkout') === undefined) {
  // A script that is written into the page, as optimizers do, or run as text has no address of its own.
  const [, origin] = SERVED_AT.exec(import.meta.url) ?? []
  if (origin) GatewayCheckout.defaultServer = origin
  customElements.define('gateway-checkout', GatewayCheckout)
}
