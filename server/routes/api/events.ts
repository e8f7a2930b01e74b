/** `/api/events`: what the merchant was told or is still to be told, and telling it once more. */

import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { MerchantAccount, OutboxEvent, Store } from '../../store.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { answerList, EventQuery, PAGE_SIZE, sequenceOf } from '../listing.ts'
import { ProblemError, readGiven } from '../problem.ts'

export interface EventApi {
  store: Store
  account: MerchantAccount
  clock: Clock
  log: Log
}

const Body = z.object({
  type: z.string(),
  timestamp: z.iso.datetime().describe('When it was confirmed.'),
  data: z
    .looseObject({})
    .describe('The view of a checkout, the tracked payout or charge, or the tracked recipient of airtime.'),
})

export const ListedEvent = z.object({
  id: z.string().describe('Stable over every delivery: the webhook-id.'),
  ...Body.shape,
  delivery: z.enum(['waiting', 'delivered', 'given_up']),
  failures: z.int().describe('Deliveries that failed so far.'),
})
export type ListedEvent = z.output<typeof ListedEvent>

export const Replayed = z.object({ id: z.string(), delivery: z.literal('waiting') })

export function eventApi({ store, account, clock, log }: EventApi): Hono {
  const app = new Hono()

  app.get('/', async (c) => {
    const { cursor } = readGiven(EventQuery, c.req.query())
    const events = await store.listEvents(account, cursor, PAGE_SIZE)
    return answerList(c, events, show, sequenceOf, log)
  })
  app.post('/:id/replay', async (c) => {
    const id = c.req.param('id')
    if (await store.replayEvent(account, id, clock.now())) return c.json({ id, delivery: 'waiting' }, 202)
    throw new ProblemError('unknown_event', 'No event has this id.')
  })

  return app
}

function show({ id, body, finish, failures }: OutboxEvent): ListedEvent {
  return { id, ...Body.parse(JSON.parse(body)), delivery: finish ?? 'waiting', failures }
}
