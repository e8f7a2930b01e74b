// One server per process, whichever of Next's bundles asks for it first. PUBLIC_URL=https://shop.example/pay

import { embed } from 'gateway-checkout-server'
import { findOrder, fulfil } from './orders.js'

// "next dev" loads this file again after an edit. The payment server runs on, and calls the newest functions.
globalThis.handlers = { findOrder, fulfil }

export function pay() {
  return (globalThis.gatewayCheckout ??= embed({
    orders: (reference) => globalThis.handlers.findOrder(reference),
    onEvent: (event) => globalThis.handlers.fulfil(event),
  }))
}
