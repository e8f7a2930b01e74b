/** `GET /health/live` and `GET /health/ready`. */

import type { Store } from '../store.ts'
import { Hono } from 'hono'

/** Ready means that a payment could be stored; whether the gateway answers is not this server's health. */
export function healthRoutes(store: Store): Hono {
  const app = new Hono()
  app.get('/live', (c) => c.json({ status: 'live' }))
  app.get('/ready', async (c) => {
    await store.ping()
    return c.json({ status: 'ready' })
  })
  return app
}
