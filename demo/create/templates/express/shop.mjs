import express from 'express'
import { embed } from 'gateway-checkout-server'
import { readFileSync } from 'node:fs'

import { createOrder, findOrder, onEvent } from './orders.mjs'
import { startSandboxIfLocal } from './sandbox.mjs'

await startSandboxIfLocal()
const pay = await embed({ orders: findOrder, onEvent })
const page = readFileSync('order.html', 'utf8')

const shop = express()
shop.use('/pay', pay.handler)
shop.get('/', (request, response) => response.sendFile('shop.html', { root: '.' }))
shop.post('/order', (request, response) => response.redirect(303, `/order/${createOrder()}`))
shop.get('/order/:order', (request, response) => {
  const { order } = request.params
  if (!findOrder(order)) {
    return response.status(404).send('There is no such order.')
  }

  const { methods } = pay.config.merchant
  const html = page
    .replaceAll('{{server}}', '/pay')
    .replaceAll('{{order}}', order)
    .replaceAll('{{methods}}', methods)
  response.type('html').send(html)
})

const { origin, port } = new URL(process.env.PUBLIC_URL)
shop.listen(process.env.PORT ?? port, () => console.log(`The shop: ${origin}`))
