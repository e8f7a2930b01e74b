/**
 * Defines the custom element `<gateway-checkout>`, unless another script has already defined this element. A second
 * definition would throw an error.
 */

import './developer/trusted-types.ts'
import { GatewayCheckout } from './index.ts'

export * from './index.ts'

/**
 * Matches this script's URL if a BFF serves the script. The element then needs no `server` attribute. [assumed] Only a
 * BFF serves a script at this path.
 */
const SERVED_AT = /^(https?:\/\/[^/]+)\/gateway-checkout\.js([?#]|$)/

declare global {
  interface HTMLElementTagNameMap {
    'gateway-checkout': GatewayCheckout
  }
}

// An inlined or evaluated script has no URL.
const [, origin] = SERVED_AT.exec(import.meta.url) ?? []
if (origin) GatewayCheckout.defaultServer = origin

// A server has no registry. The generator of the manifest looks for this call of `customElements.define`.
if (typeof customElements !== 'undefined' && customElements.get('gateway-checkout') === undefined) {
  customElements.define('gateway-checkout', GatewayCheckout)
  // Where a router draws the element, the second file must take the checkout out of the address first.
  if (globalThis.location?.hash.includes('gateway-checkout=')) void GatewayCheckout.preload()
}
