/**
 * Declares the routes of `/api/events`. The routes list the events that this server sends to the merchant's backend,
 * and send an event again.
 */

import { z } from 'zod'

import { EVENT_TYPES } from '../../api/kind-table.ts'
import { moment } from '../../api/tracked.ts'
import { field, text, textOrNull } from '../../contract/openapi-field.ts'
import { answerList, EventQuery, PAGE_SIZE, pageOf, sequenceOf } from '../listing.ts'
import { problem } from '../problem.ts'
import { json, route } from '../route.ts'

import type { StoredEvent } from '../../store/events.ts'
import type { Needs } from '../route.ts'
import type { Hono } from 'hono'

const EventBody = z.object({
  type: field(z.enum(EVENT_TYPES), 'Type of the event. Branch on this field.'),
  timestamp: moment('When the outcome was confirmed.'),
  data: field(
    z.looseObject({}),
    'A TrackedCheckout, TrackedPayout, TrackedCharge or TrackedRecipient, as the type of the event says.',
  ),
})

const eventId = text('Id of the event, the webhook-id of every delivery.', 'evt_2f9KqW3xT0')

export const ListedEvent = z
  .object({
    id: eventId,
    ...EventBody.shape,
    delivery: field(
      z.enum(['waiting', 'delivered', 'no_receiver', 'given_up']),
      'waiting: not accepted yet. delivered: accepted by your backend. no_receiver: neither onEvent nor MERCHANT_WEBHOOK_URL was there to receive it. given_up: refused for about five days.',
    ),
    failures: field(z.int().min(0), 'Number of failed deliveries.', 0),
    last_status: field(
      z.int().nullable(),
      'HTTP status with which MERCHANT_WEBHOOK_URL answered last. Null before, without a response, and for onEvent.',
      503,
    ),
    last_answer: textOrNull(
      'Beginning of the last answer, or of the error of onEvent, if the event was not accepted; phone numbers and e-mail addresses are hidden. Null once it is accepted.',
      'The database is away.',
    ),
    trace_id: textOrNull(
      'Log lines about the transaction have it, and so has the header traceparent of the delivery.',
      '4bf92f3577b34da6a3ce929d0e0e4736',
    ),
    next_try_at: field(
      z.iso.datetime().nullable(),
      'When a waiting event is delivered next. Null unless it is waiting.',
      '2026-11-21T09:05:00.000Z',
    ),
  })
  .meta({ id: 'ListedEvent', description: 'An event with the state of its delivery.' })
export type ListedEvent = z.output<typeof ListedEvent>

const Replayed = z
  .object({ id: eventId, delivery: field(z.literal('waiting'), 'The event is due.') })
  .meta({ id: 'ReplayedEvent', description: 'An event that will be delivered again.' })

const Page = pageOf(ListedEvent).meta({ id: 'EventPage', description: 'A page of events.' })

const ONE_EVENT = {
  tag: 'Records',
  params: z.object({ id: eventId }),
  problems: ['unknown_event', 'store_unavailable'],
} as const

export function declareEvents(
  app: Hono,
  { store, account, clock, log }: Needs<'store' | 'account' | 'clock' | 'log'>,
): void {
  route(app, 'GET', '/api/events', {
    id: 'listEvents',
    tag: 'Records',
    summary: 'List events',
    description:
      'The oldest first. The list only grows: keep the last cursor that was not null, and continue from it.',
    query: EventQuery,
    answers: [json(200, 'One page, oldest first.', Page)],
    problems: ['store_unavailable'],
    handle: async ({ c, query }) => {
      const events = await store.listEvents(account, query.cursor, PAGE_SIZE)
      return answerList(c, events, { show: showEvent, positionOf: sequenceOf }, log)
    },
  })

  route(app, 'GET', '/api/events/:id', {
    ...ONE_EVENT,
    id: 'getEvent',
    summary: 'Retrieve an event',
    answers: [json(200, 'The event with the state of its delivery.', ListedEvent)],
    handle: async ({ c, params: { id } }) => {
      const event = await store.findEvent(account, id)
      return event ? c.json(showEvent(event)) : refuseUnknown()
    },
  })

  route(app, 'POST', '/api/events/:id/replay', {
    ...ONE_EVENT,
    id: 'replayEvent',
    summary: 'Replay an event',
    description:
      'Delivers the event once more, under the same id and with the same body, unless personal data in it were erased.',
    answers: [json(202, 'The event is due.', Replayed)],
    handle: async ({ c, params: { id } }) => {
      const isDue = await store.replayEvent(account, id, clock.now())
      return isDue ? c.json({ id, delivery: 'waiting' }, 202) : refuseUnknown()
    },
  })
}

function refuseUnknown(): never {
  throw problem('unknown_event', 'No event has this id.')
}

/** Shows a stored event, whose `body` is the JSON text of an {@link EventBody}. */
export function showEvent(event: StoredEvent): ListedEvent {
  const { body, finish, due_at } = event
  const next_try_at = finish === null ? new Date(due_at).toISOString() : null
  return ListedEvent.parse({ ...event, ...JSON.parse(body), delivery: finish ?? 'waiting', next_try_at })
}
