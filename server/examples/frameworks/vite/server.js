// The shop and, below /pay, the payment server. PUBLIC_URL=https://shop.example/pay

import express from 'express'
import { embed } from 'gateway-checkout-server'
import { createOrder, findOrder, fulfil } from './orders.js'

const pay = await embed({ orders: findOrder, onEvent: fulfil })

const shop = express()
shop.use('/pay', pay.handler)
shop.post('/order', (request, response) => response.redirect(303, `/?order=${createOrder()}`))
shop.use(process.argv[2] === 'dev' ? await sources() : express.static('dist'))
const server = shop.listen(process.env.PORT ?? 3000)

process.once('SIGTERM', () => {
  server.close(() => void pay.stop())
  server.closeAllConnections()
})

/** Vite's server, which builds the page while you edit it. */
async function sources() {
  const { createServer } = await import('vite')
  return (await createServer({ server: { middlewareMode: true } })).middlewares
}
