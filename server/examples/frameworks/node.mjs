// Node's own HTTP server. PUBLIC_URL=https://shop.example/pay

import { createServer } from 'node:http'
import { embed } from 'gateway-checkout-server'
import { findOrder, fulfil } from './shop.mjs'

const pay = await embed({ orders: findOrder, onEvent: fulfil })

const server = createServer((request, response) => {
  if (request.url?.startsWith('/pay/')) return pay.handler(request, response)
  response.end('The shop.')
})
server.listen(process.env.SHOP_PORT)

process.once('SIGTERM', () => {
  server.close(() => void pay.stop())
  server.closeAllConnections()
})
