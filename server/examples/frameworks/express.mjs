// Express 5. Bodies that express.json() or express.urlencoded() has parsed are taken over. PUBLIC_URL=https://shop.example/pay

import express from 'express'
import { embed } from 'gateway-checkout-server'
import { findOrder, fulfil } from './shop.mjs'

const pay = await embed({ orders: findOrder, onEvent: fulfil })

const shop = express()
shop.use(express.json(), express.urlencoded())
shop.use('/pay', pay.handler)
shop.get('/', (request, response) => response.send('The shop.'))
const server = shop.listen(process.env.SHOP_PORT)

process.once('SIGTERM', () => {
  server.close(() => void pay.stop())
  server.closeAllConnections()
})
