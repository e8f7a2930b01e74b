/** Declares the routes of `/api/airtime`, which send airtime, and list and retrieve airtime requests. */

import type { Hono } from 'hono'
import type { RouteDeps } from '../route.ts'
import { readAirtime } from '../../airtime/record.ts'
import { listedOf, trackedOf } from '../../airtime/kind.ts'
import { submitAirtime } from '../../airtime/submit.ts'
import { AirtimeOrder, ListedAirtime, TrackedAirtime } from '../../api/airtime.ts'
import { declareCreate, declareResource } from './transactions.ts'

/** The maximum size of the request body, in bytes. 100,000 recipients in indented JSON fit into 16 MB. */
const MAX_BODY_BYTES = 16_000_000

export function declareAirtime(app: Hono, deps: RouteDeps): void {
  declareCreate(app, deps, '/api/airtime', {
    kind: 'airtime',
    id: 'sendAirtime',
    tag: 'Airtime',
    summary: 'Send airtime',
    description: `All recipients are stored before the first is sent. Each is sent once and queried until it is settled. The same list again returns its state and sends what was never sent; another list under its reference is refused, and so is a list that repeats a phone number.

The outcome of a recipient is "pending" when the gateway accepted the request, "failed" with the gateway's message when it rejected it, and "sending" when its answer was lost. What may have been sent is queried and never sent again.`,
    body: { schema: AirtimeOrder, types: ['application/json'], maxBytes: MAX_BODY_BYTES },
    schema: TrackedAirtime,
    submit: (body, traceId, signal) => submitAirtime(deps, body, signal, traceId),
    show: ({ rows }) => trackedOf(rows),
  })

  declareResource(app, deps, '/api/airtime', {
    kind: 'airtime',
    tag: 'Airtime',
    key: ['reference', 'Your reference of the list. 1–64 characters.', 'AIRTIME-2026-11-0001'],
    listed: {
      description: 'One item for each request to the gateway, which holds at most 1,000 recipients.',
      schema: ListedAirtime,
      show: (row) => listedOf(readAirtime(row)),
    },
    retrieve: 'Retrieve airtime: counts, sums, and each recipient',
    schema: TrackedAirtime,
    show: (row, ...others) => trackedOf([readAirtime(row), ...others.map(readAirtime)]),
    find: (reference) => deps.store.list(deps.account, 'airtime', reference),
  })
}
