/** Declares `GET /health/live` and `GET /health/ready`, for load balancers and orchestrators. */

import { z } from 'zod'

import { field } from '../contract/openapi-field.ts'
import { json, route } from './route.ts'

import type { Needs } from './route.ts'
import type { Hono } from 'hono'

const Health = z
  .object({
    status: field(z.enum(['live', 'ready']), 'live: the process runs. ready: it stores payments.'),
  })
  .meta({ id: 'Health', description: 'The health of this server.' })

/**
 * Declares the health routes. The server is ready if a test write to the store succeeds, whatever state the gateway is
 * in: a restart of this server would not bring the gateway back.
 */
export function declareHealth(app: Hono, { checkStore }: Needs<'checkStore'>): void {
  route(app, 'GET', '/health/live', {
    id: 'checkLiveness',
    tag: 'Health',
    summary: 'Check that the process runs',
    answers: [json(200, 'The process runs.', Health)],
    problems: [],
    handle: ({ c }) => c.json({ status: 'live' }),
  })

  route(app, 'GET', '/health/ready', {
    id: 'checkReadiness',
    tag: 'Health',
    summary: 'Check that a payment can be stored',
    description: 'Writes to the store, at most once in 2 seconds.',
    answers: [json(200, 'A payment can be stored.', Health)],
    problems: ['store_unavailable'],
    handle: async ({ c }) => {
      await checkStore()
      return c.json({ status: 'ready' })
    },
  })
}
