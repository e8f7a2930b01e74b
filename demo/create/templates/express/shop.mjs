import { readFileSync } from 'node:fs'
import express from 'express'
import { embed } from 'gateway-checkout-server'
import { createOrder, findOrder, onEvent } from './orders.mjs'
import { startSandboxIfLocal } from './sandbox.mjs'

await startSandboxIfLocal()
const pay = await embed({ orders: findOrder, onEvent })
const page = readFileSync('page.html', 'utf8')

const shop = express()
shop.use('/pay', pay.handler)
shop.get('/', (request, response) => {
  response.type('html').send(page.replaceAll('{{server}}', '/pay').replaceAll('{{order}}', createOrder()))
})

const { origin, port } = new URL(process.env.PUBLIC_URL)
shop.listen(process.env.PORT ?? port, () => console.log(`The shop: ${origin}`))
