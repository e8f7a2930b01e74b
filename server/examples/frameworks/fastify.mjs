// Fastify 5. In a scope of its own, because Fastify refuses forms that no parser takes. PUBLIC_URL=https://shop.example/pay

import Fastify from 'fastify'
import { embed } from 'gateway-checkout-server'
import { findOrder, fulfil } from './shop.mjs'

const pay = await embed({ orders: findOrder, onEvent: fulfil })

const shop = Fastify({ forceCloseConnections: true })
shop.get('/', () => 'The shop.')
shop.register(
  async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (request, body, done) => done(null))
    scope.all('/*', (request, reply) => {
      reply.hijack()
      pay.handler(request.raw, reply.raw)
    })
  },
  { prefix: '/pay' },
)
shop.addHook('onClose', () => pay.stop())
await shop.listen({ port: Number(process.env.SHOP_PORT) })

process.once('SIGTERM', () => void shop.close())
