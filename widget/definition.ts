import { GatewayCheckout } from './gateway-checkout.ts'

/**
 * Defines the element under a name of its own, beside a `<gateway-checkout>` of another version on the same page. Does
 * nothing on a server, and if this version has already defined the name.
 *
 * @param name The name of the tag, such as "checkout-v2".
 * @throws {DOMException} If the name is not a valid name of a custom element, or another class has it.
 */
export function define(name: string): void {
  const { customElements: registry } = globalThis
  if (!(registry?.get(name)?.prototype instanceof GatewayCheckout))
    registry?.define(name, class extends GatewayCheckout {})
}
