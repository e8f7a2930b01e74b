import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { embed } from 'gateway-checkout-server'
import { createOrder, findOrder, onEvent } from './orders.mjs'
import { startSandboxIfLocal } from './sandbox.mjs'

await startSandboxIfLocal()
const pay = await embed({ orders: findOrder, onEvent })
const page = readFileSync('page.html', 'utf8')

const server = createServer((request, response) => {
  if (request.url.startsWith('/pay/')) return pay.handler(request, response)
  if (request.url !== '/') return response.writeHead(404).end('There is no such page.')
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(page.replaceAll('{{server}}', '/pay').replaceAll('{{order}}', createOrder()))
})

const { origin, port } = new URL(process.env.PUBLIC_URL)
server.listen(process.env.PORT ?? port, () => console.log(`The shop: ${origin}`))
