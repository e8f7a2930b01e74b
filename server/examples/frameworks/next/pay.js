// One server per process, whichever of Next's bundles asks for it first. PUBLIC_URL=https://shop.example/pay

import { embed } from 'gateway-checkout-server'
import { findOrder, fulfil } from './orders.js'

export function pay() {
  return (globalThis.gatewayCheckout ??= embed({ orders: findOrder, onEvent: fulfil }))
}
