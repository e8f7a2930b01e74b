// One payment server per process: "npm start" loads this file before the server, so that the workers run before the
// first request, and Astro loads it once more with the routes. PUBLIC_URL=https://shop.example/pay

import { embed } from 'gateway-checkout-server'
import { findOrder, fulfil } from './orders.js'

export const pay = await (globalThis.gatewayCheckout ??= embed({ orders: findOrder, onEvent: fulfil }))
