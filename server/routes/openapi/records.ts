/** The addresses of `/api/checkouts`, `/api/events` and `/api/history`. */

import type { Operation } from './operation.ts'
import { EventQuery, listQuery } from '../listing.ts'
import { CHECKOUT_OUTCOMES } from '../view-schema.ts'
import { json } from './operation.ts'

export const RECORD_OPERATIONS: readonly Operation[] = [
  {
    method: 'GET',
    path: '/api/checkouts',
    id: 'listCheckouts',
    tag: 'Records',
    summary: 'List checkouts in the order of their last change',
    needsKey: true,
    query: listQuery(CHECKOUT_OUTCOMES),
    answers: [json(200, 'At most 100 of them.', 'Views')],
    problems: ['invalid_request', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/api/checkouts/:key',
    id: 'getCheckout',
    tag: 'Records',
    summary: 'See how a checkout stands',
    description: 'Asks the gateway when the last answer is no longer fresh.',
    needsKey: true,
    parameters: { key: 'A checkout_id, or the reference of an order for its latest checkout.' },
    answers: [json(200, 'As it stands.', 'CheckoutView')],
    problems: ['unknown_checkout', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/api/events',
    id: 'listEvents',
    tag: 'Records',
    summary: 'List what you were told, or are still to be told',
    description:
      'The oldest first. The list only grows: keep the last cursor that was not null, and ask behind it.',
    needsKey: true,
    query: EventQuery,
    answers: [json(200, 'At most 100 of them.', 'ListedEvents')],
    problems: ['invalid_request', 'store_unavailable'],
  },
  {
    method: 'POST',
    path: '/api/events/:id/replay',
    id: 'replayEvent',
    tag: 'Records',
    summary: 'Be told of an event once more',
    description: 'Under the same id, with the same body.',
    needsKey: true,
    parameters: { id: 'The id of the event.' },
    answers: [json(202, 'It is due again.', 'Replayed')],
    problems: ['unknown_event', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/api/history/:reference',
    id: 'getHistory',
    tag: 'Records',
    summary: 'Read what happened, sentence by sentence',
    needsKey: true,
    parameters: {
      reference:
        'A payout_reference, an external_reference, an order, a checkout_id or a merchant_transaction_id.',
    },
    answers: [json(200, 'Each transaction of that reference with its history.', 'History')],
    problems: ['unknown_reference', 'store_unavailable'],
  },
]
