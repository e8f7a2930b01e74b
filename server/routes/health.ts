/** Declares `GET /health/live` and `GET /health/ready`, for load balancers and orchestrators. */

import type { Hono } from 'hono'
import type { Clock } from '../clock.ts'
import type { Store } from '../store.ts'
import type { RouteDeps } from './route.ts'
import { z } from 'zod'
import { describeFields } from '../api/field.ts'
import { withTimeout } from '../with-timeout.ts'
import { StoreError } from '../store.ts'
import { json, route } from './route.ts'

/** Milliseconds between two checks of the store. Requests between two checks get the result of the last check. */
const CHECK_PAUSE_MS = 2_000
/**
 * Milliseconds within which a test write to the store must complete. If the test write takes longer, the server reports
 * that it is not ready.
 */
const CHECK_DEADLINE_MS = 5_000

const Health = describeFields(
  { status: z.enum(['live', 'ready']) },
  { status: ['live: the process runs. ready: it can store a payment.'] },
).meta({ ref: 'Health', description: 'The health of this server.' })

/**
 * Declares the health routes. The server is ready if a test write to the store succeeds; the gateway's state does not
 * matter.
 */
export function declareHealth(app: Hono, { store, clock }: RouteDeps): void {
  const checkStore = createStoreCheck(store, clock)
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

function createStoreCheck(store: Store, clock: Clock): () => Promise<void> {
  let last = { at: -Infinity, result: Promise.resolve() }
  return () => {
    const now = clock.now()
    // After the system clock jumps back, the last check may lie in the future.
    if (now < last.at || now - last.at >= CHECK_PAUSE_MS) last = { at: now, result: check() }
    return last.result
  }

  function check(): Promise<void> {
    const late = new StoreError(`The store did not write within ${CHECK_DEADLINE_MS / 1000} seconds.`)
    return withTimeout(CHECK_DEADLINE_MS, clock, () => store.ping(), late)
  }
}
