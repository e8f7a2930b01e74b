/** `GET /health/live` and `GET /health/ready`. */

import type { Log } from '../log.ts'
import type { Store } from '../store.ts'
import { Hono } from 'hono'
import { ProblemError } from './problem.ts'

/** Ready means that a payment could be stored; whether the gateway answers is not this server's health. */
export function healthRoutes(store: Store, log: Log): Hono {
  const app = new Hono()
  app.get('/live', (c) => c.json({ status: 'live' }))
  app.get('/ready', async (c) => {
    try {
      await store.ping()
    } catch (error) {
      log.error({ err: error }, 'The store cannot be used.')
      throw new ProblemError('store_unavailable', 'The store cannot be used.')
    }
    return c.json({ status: 'ready' })
  })
  return app
}
