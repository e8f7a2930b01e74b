// Runs the server in a process of its own. With ORDERS and EVENTS, the merchant's functions find orders and handle events.
// The beginning of an order's reference says what they do with the order. Accepted events are printed.
import { setTimeout } from 'node:timers/promises'
import { start } from 'gateway-checkout-server'

const SLOW_MS = 3_000

async function orders(order) {
  if (order.startsWith('slow')) await setTimeout(SLOW_MS)
  return { order, amount: '500', currency: 'KES', narration: 'Two kangas' }
}

async function onEvent({ timestamp, data: { order } }) {
  if (order.startsWith('refused')) throw new Error('There is no such product.')
  if (order.startsWith('hanging')) return new Promise(() => {})
  print({ order, ms: Date.now() - Date.parse(timestamp) })
}

const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`)

const { ORDERS, EVENTS } = process.env
await start({ env: process.env, ...(ORDERS && { orders }), ...(EVENTS && { onEvent }) })
print({ isListening: true })
