// Hono. A body that middleware has read by c.req is taken over. PUBLIC_URL=https://shop.example/pay

import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { cloneRawRequest } from 'hono/request'
import { embed } from 'gateway-checkout-server'
import { findOrder, fulfil } from './shop.mjs'

const pay = await embed({ orders: findOrder, onEvent: fulfil })

const shop = new Hono()
shop.get('/', (c) => c.text('The shop.'))
shop.all('/pay/*', async (c) =>
  pay.fetch(c.req.raw.bodyUsed ? await cloneRawRequest(c.req) : c.req.raw, c.env),
)
const server = serve({ fetch: shop.fetch, port: Number(process.env.SHOP_PORT) })

process.once('SIGTERM', () => {
  server.close(() => void pay.stop())
  server.closeAllConnections()
})
