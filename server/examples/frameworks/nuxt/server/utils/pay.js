// One payment server per process. PUBLIC_URL=https://shop.example/pay

import { embed } from 'gateway-checkout-server'
import { findOrder, fulfil } from './orders.js'

let server

export function pay() {
  return (server ??= embed({ orders: findOrder, onEvent: fulfil }))
}
