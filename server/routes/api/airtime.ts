/** Declares the routes of `/api/airtime`, which send airtime, and list and retrieve airtime requests. */

import type { Hono } from 'hono'
import type { RouteDeps } from '../route.ts'
import { readAirtime } from '../../airtime/record.ts'
import { listedOf, trackedOf } from '../../airtime/kind.ts'
import { submitAirtime } from '../../airtime/submit.ts'
import { AIRTIME_OUTCOMES, AirtimeOrder, ListedAirtime, TrackedAirtime } from '../../api/airtime.ts'
import { json, route, submittedBody } from '../route.ts'
import { answerSubmitted, declareList, declareRetrieve, givenTraceId } from './transactions.ts'

/** The maximum size of the request body, in bytes. 100,000 recipients in indented JSON fit into 16 MB. */
const MAX_BODY_BYTES = 16_000_000

export function declareAirtime(app: Hono, deps: RouteDeps): void {
  route(app, 'POST', '/api/airtime', {
    id: 'sendAirtime',
    tag: 'Airtime',
    summary: 'Send airtime',
    description: `All recipients are stored before the first is sent. Each is sent once and queried until it is settled. The same list again returns its state and sends what was never sent; another list under its reference is refused, and so is a list that repeats a phone number.

The outcome of a recipient is "pending" when the gateway accepted the request, "failed" with the gateway's message when it rejected it, and "sending" when its answer was lost. What may have been sent is queried and never sent again.`,
    body: submittedBody(deps.clock, {
      schema: AirtimeOrder,
      types: ['application/json'],
      maxBytes: MAX_BODY_BYTES,
    }),
    answers: [
      json(201, 'The airtime was stored and sent.', TrackedAirtime),
      json(200, 'The same list existed.', TrackedAirtime),
    ],
    problems: ['reference_reused', 'record_deleted', 'store_unavailable'],
    handle: async ({ c, body }) => {
      const submitted = await submitAirtime(deps, await body(), c.req.raw.signal, givenTraceId(c))
      return answerSubmitted(c, submitted, ({ requests }) => trackedOf(requests))
    },
  })

  declareList(app, deps, '/api/airtime', {
    kind: 'airtime',
    id: 'listAirtime',
    tag: 'Airtime',
    summary: 'List airtime',
    description: 'One item for each request to the gateway, which holds at most 1,000 recipients.',
    outcomes: AIRTIME_OUTCOMES,
    item: ListedAirtime,
    page: { ref: 'AirtimePage', description: 'A page of airtime.' },
    show: (row) => listedOf(readAirtime(row)),
  })

  declareRetrieve(app, deps, '/api/airtime/:reference', {
    kind: 'airtime',
    id: 'retrieveAirtime',
    tag: 'Airtime',
    summary: 'Retrieve airtime: counts, sums, and each recipient',
    key: ['Your reference of the list. 1–64 characters.', 'AIRTIME-2026-11-0001'],
    schema: TrackedAirtime,
    find: (reference) => deps.store.list(deps.account, 'airtime', reference),
    show: (row, ...others) => trackedOf([readAirtime(row), ...others.map(readAirtime)]),
    unknown: 'No airtime has this reference.',
  })
}
