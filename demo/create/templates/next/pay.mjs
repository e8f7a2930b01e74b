import { embed } from 'gateway-checkout-server'

import { findOrder, onEvent } from './orders.mjs'
import { startSandboxIfLocal } from './sandbox.mjs'

// "next dev" loads this file again after an edit. The payment server runs on, and calls the newest functions.
globalThis.handlers = { findOrder, onEvent }

/** Starts the payment server once per process, whichever of Next's bundles asks first. */
export function pay() {
  globalThis.gatewayCheckout ??= startPaymentServer()
  return globalThis.gatewayCheckout
}

async function startPaymentServer() {
  await startSandboxIfLocal()
  return embed({
    orders: (reference) => globalThis.handlers.findOrder(reference),
    onEvent: (event) => globalThis.handlers.onEvent(event),
  })
}
