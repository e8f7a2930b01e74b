// One server per process, whichever of Next's bundles asks for it first. PUBLIC_URL=https://shop.example/pay

import { embed } from 'gateway-checkout-server'

async function findOrder(reference) {
  return { order: reference, amount: '1500', currency: 'KES', narration: 'Two kangas' }
}

async function fulfil({ id, type, data }) {
  if (type === 'checkout.paid') console.log(`fulfil ${data.order} (${id})`)
}

export function pay() {
  return (globalThis.gatewayCheckout ??= embed({ orders: findOrder, onEvent: fulfil }))
}
