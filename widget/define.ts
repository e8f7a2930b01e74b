/**
 * Defines the custom element `<gateway-checkout>`, unless another script has already defined this element. A second
 * definition would throw an error.
 */

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

// Lit's templates need a Trusted Types policy. Where the page forbids it, the second file does not run, and the button
// pays by a plain form; under a policy that only reports, Lit runs. On a server, there are no events.
globalThis.addEventListener?.('securitypolicyviolation', ({ sample, disposition }) => {
  if (sample === 'lit-html' && disposition === 'enforce') {
    // If the download fails, the browser's own message about the policy stays in the console.
    import('./developer/console.ts').then(({ explainTrustedTypes }) => explainTrustedTypes()).catch(() => {})
  }
})

// An inlined or evaluated script has no URL.
const [, origin] = SERVED_AT.exec(import.meta.url) ?? []
if (origin) {
  GatewayCheckout.defaultServer = origin
}

// A server has no registry. The generator of the manifest looks for this call of `customElements.define`.
if (typeof customElements !== 'undefined' && !customElements.get('gateway-checkout')) {
  customElements.define('gateway-checkout', GatewayCheckout)
  // Where a router draws the element, the second file must take the checkout out of the address first.
  if (globalThis.location?.hash.includes('gateway-checkout-')) {
    void GatewayCheckout.preload()
  }
}
