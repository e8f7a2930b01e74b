import { embed } from 'gateway-checkout-server'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

import { createOrder, findOrder, onEvent } from './orders.mjs'
import { startSandboxIfLocal } from './sandbox.mjs'

await startSandboxIfLocal()
const pay = await embed({ orders: findOrder, onEvent })
const shopPage = readFileSync('shop.html', 'utf8')
const orderPage = readFileSync('order.html', 'utf8')

const server = createServer((request, response) => {
  const [, first, order] = request.url.split(/[/?]/)
  if (first === 'pay') {
    return pay.handler(request, response)
  }

  if (request.method === 'POST' && first === 'order') {
    return response.writeHead(303, { location: `/order/${createOrder()}` }).end()
  }

  response.setHeader('content-type', 'text/html; charset=utf-8')
  if (first === '') {
    return response.end(shopPage)
  }

  if (first !== 'order' || !findOrder(order)) {
    return response.writeHead(404).end('There is no such page.')
  }

  const { methods } = pay.config.merchant
  const html = orderPage
    .replaceAll('{{server}}', '/pay')
    .replaceAll('{{order}}', order)
    .replaceAll('{{methods}}', methods)
  response.end(html)
})

const { origin, port } = new URL(process.env.PUBLIC_URL)
server.listen(process.env.PORT ?? port, () => console.log(`The shop: ${origin}`))
