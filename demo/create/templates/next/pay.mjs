import { embed } from 'gateway-checkout-server'
import { findOrder, onEvent } from './orders.mjs'
import { startSandboxIfLocal } from './sandbox.mjs'

/** Starts the payment server once per process, whichever of Next's bundles asks first. */
export function pay() {
  return (globalThis.gatewayCheckout ??= startSandboxIfLocal().then(() =>
    embed({ orders: findOrder, onEvent }),
  ))
}
