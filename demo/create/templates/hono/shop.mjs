import { serve } from '@hono/node-server'
import { embed } from 'gateway-checkout-server'
import { Hono } from 'hono'
import { readFileSync } from 'node:fs'

import { createOrder, findOrder, onEvent } from './orders.mjs'
import { startSandboxIfLocal } from './sandbox.mjs'

await startSandboxIfLocal()
const pay = await embed({ orders: findOrder, onEvent })
const shopPage = readFileSync('shop.html', 'utf8')
const orderPage = readFileSync('order.html', 'utf8')

const shop = new Hono()
// The second argument has the client's address, which the limits need.
shop.all('/pay/*', (c) => pay.fetch(c.req.raw, c.env))
shop.get('/', (c) => c.html(shopPage))
shop.post('/order', (c) => c.redirect(`/order/${createOrder()}`, 303))
shop.get('/order/:order', (c) => {
  const { order } = c.req.param()
  if (!findOrder(order)) {
    return c.text('There is no such order.', 404)
  }

  const { methods } = pay.config.merchant
  const html = orderPage
    .replaceAll('{{server}}', '/pay')
    .replaceAll('{{order}}', order)
    .replaceAll('{{methods}}', methods)
  return c.html(html)
})

const { origin, port } = new URL(process.env.PUBLIC_URL)
serve({ fetch: shop.fetch, port: Number(process.env.PORT ?? port) }, () => console.log(`The shop: ${origin}`))
