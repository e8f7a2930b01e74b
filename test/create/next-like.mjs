// Calls a Next project as Next does: register() before the first request, then the exports of the route.

import { resolve } from 'node:path'
import { serve } from '@hono/node-server'

process.env.NEXT_RUNTIME = 'nodejs'
const { register } = await import(resolve('instrumentation.js'))
await register()
if ((await globalThis.gatewayCheckout)?.config) console.log('working before the first request')
const route = await import(resolve('app/pay/[[...path]]/route.js'))

/** Loads the file of the payment server again, as "next dev" does after an edit of what it imports. */
async function reload() {
  await import(resolve('edited/pay.mjs'))
  return new Response('Loaded.')
}

serve({
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  fetch: (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/reload') return reload()
    return pathname.startsWith('/pay') ? route[request.method](request) : new Response('The shop.')
  },
})
