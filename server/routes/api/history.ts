/**
 * Declares `GET /api/history/{reference}`, which returns the history of every transaction that a reference identifies.
 */

import { z } from 'zod'

import { KindName } from '../../api/kind-table.ts'
import { moment } from '../../api/tracked.ts'
import { field, text, textOrNull } from '../../contract/openapi-field.ts'
import { findByReference } from '../../transactions/find.ts'
import { problem } from '../problem.ts'
import { json, route } from '../route.ts'
import { ListedEvent, showEvent } from './events.ts'

import type { Transaction } from '../../store/transactions.ts'
import type { Needs } from '../route.ts'
import type { Hono } from 'hono'

const Entry = z.object({
  at: moment('When it happened.'),
  what: text('What happened, as a sentence.', 'The gateway reports 801.'),
})

const EventDelivery = ListedEvent.omit({ data: true, last_answer: true, trace_id: true }).meta({
  id: 'EventDelivery',
  description: 'An event about a transaction, with the state of its delivery.',
})

const RecordedTransaction = z.object({
  kind: field(KindName, 'Kind of the transaction.'),
  reference: text("The gateway's reference of the transaction.", '7f9c2ba4-e88f-427d-9161-9b2b4a5c1e07'),
  attempt: field(z.int(), 'Number of the transaction of its order or list, from 1.', 1),
  outcome: text('Outcome, as its own route names it.', 'paid'),
  created_at: moment('When this server stored it.'),
  history: field(z.array(Entry), 'Entries, oldest first.'),
  trace_id: textOrNull(
    'Log lines about the transaction have it, and so have the requests to the gateway and to your backend (traceparent).',
    '4bf92f3577b34da6a3ce929d0e0e4736',
  ),
  events: field(z.array(EventDelivery), 'Events about the transaction, oldest first.'),
})

const History = z
  .object({
    reference: text('The reference of the request.', 'A-1001'),
    transactions: field(z.array(RecordedTransaction), 'Every transaction of the reference.'),
  })
  .meta({ id: 'History', description: 'The history of the transactions of a reference.' })
type History = z.output<typeof History>

export function declareHistory(app: Hono, deps: Needs<'store' | 'account'>): void {
  const { store } = deps
  route(app, 'GET', '/api/history/:reference', {
    id: 'retrieveHistory',
    tag: 'Records',
    summary: 'Retrieve the history of a reference',
    params: z.object({
      reference: text(
        'A payout_reference, an external_reference, a reference of airtime, an order, a checkout_id or a merchant_transaction_id.',
        'A-1001',
      ),
    }),
    answers: [json(200, 'Every transaction of the reference with its history.', History)],
    problems: ['unknown_reference', 'store_unavailable'],
    handle: async ({ c, params: { reference } }) => {
      const rows = await findByReference(deps, reference)
      if (rows.length === 0) {
        throw problem('unknown_reference', 'No transaction, order or checkout has this reference.')
      }

      const answer: History = { reference, transactions: await Promise.all(rows.map(show)) }
      return c.json(answer)
    },
  })

  async function show(row: Transaction) {
    const [entries, events] = await Promise.all([store.history(row.id), store.listEventsOf(row.id)])
    const history = entries.map(({ at, what }) => ({ at: new Date(at).toISOString(), what }))
    const created_at = new Date(row.created_at).toISOString()
    return RecordedTransaction.parse({ ...row, created_at, history, events: events.map(showEvent) })
  }
}
