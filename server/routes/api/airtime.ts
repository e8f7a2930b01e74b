/** `/api/airtime`: sends airtime to each recipient at most once, and tracks all recipients until they are settled. */

import type { Context, Hono } from 'hono'
import type { SubmitAirtime, SubmittedAirtime } from '../../airtime/submit.ts'
import type { Log } from '../../log.ts'
import type { MerchantAccount, Store } from '../../store.ts'
import type { Synchronizer } from '../../transactions/synchronizer.ts'
import { z } from 'zod'
import { readAirtime } from '../../airtime/record.ts'
import { listedOf, trackedOf } from '../../airtime/tracked.ts'
import { AIRTIME_OUTCOMES, AirtimeOrder, ListedAirtime, TrackedAirtime } from '../../api/airtime.ts'
import { field } from '../../api/field.ts'
import { mapLimit } from '../../map-limit.ts'
import { answerList, listQuery, pageOf, positionOf } from '../listing.ts'
import { invalid, ProblemError } from '../problem.ts'
import { json, route, submittedBody } from '../route.ts'

export interface AirtimeApi {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  log: Log
  submitAirtime: SubmitAirtime
}

/** 16 MB hold 100,000 recipients in indented JSON. */
const MAX_BODY_BYTES = 16_000_000
const MOST_QUERIED_AT_ONCE = 4

const Page = pageOf(ListedAirtime).meta({ ref: 'AirtimePage', description: 'A page of airtime.' })

export function declareAirtime(app: Hono, deps: AirtimeApi): void {
  const { store, account, synchronizer, log, submitAirtime } = deps

  route(app, {
    method: 'POST',
    path: '/api/airtime',
    id: 'sendAirtime',
    tag: 'Airtime',
    summary: 'Send airtime',
    description: `All recipients are stored before the first is sent. Each is sent once and queried until it is settled. The same list again returns its state and sends what was never sent; another list under its reference is refused, and so is a list that repeats a phone number.

The outcome of a recipient is "pending" when the gateway accepted the request, "failed" with the gateway's message when it rejected it, and "sending" when its answer was lost. What may have been sent is queried and never sent again.`,
    body: submittedBody(
      AirtimeOrder,
      {
        reference: 'AIRTIME-2026-11-0001',
        recipients: [
          { phone_number: '254700000001', amount: '100.00' },
          { phone_number: '254700000002', amount: '50.00' },
        ],
      },
      { types: ['application/json'], maxBytes: MAX_BODY_BYTES },
    ),
    answers: [
      json(201, 'The airtime was stored and sent.', TrackedAirtime),
      json(200, 'The same list existed.', TrackedAirtime),
    ],
    problems: ['invalid_request', 'reference_reused', 'too_large', 'store_unavailable'],
    handle: async ({ c, body }) => answerSubmitted(c, await submitAirtime(await body(), c.req.raw.signal)),
  })

  route(app, {
    method: 'GET',
    path: '/api/airtime',
    id: 'listAirtime',
    tag: 'Airtime',
    summary: 'List airtime',
    description: 'One item for each request to the gateway, which holds at most 1,000 recipients.',
    query: listQuery(AIRTIME_OUTCOMES),
    answers: [json(200, 'One page, in the order of the last change.', Page)],
    problems: ['invalid_request', 'store_unavailable'],
    handle: async ({ c, query }) => {
      const rows = await store.search(account, 'airtime', query)
      return answerList(c, rows, (row) => listedOf(readAirtime(row)), positionOf, log)
    },
  })

  route(app, {
    method: 'GET',
    path: '/api/airtime/:reference',
    id: 'retrieveAirtime',
    tag: 'Airtime',
    summary: 'Retrieve airtime: counts, sums, and each recipient',
    description: 'Queries the gateway when the stored state is no longer fresh.',
    params: z.object({
      reference: field(z.string(), 'Your reference of the list. 1–64 characters.', 'AIRTIME-2026-11-0001'),
    }),
    answers: [json(200, 'The airtime with its state.', TrackedAirtime)],
    problems: ['unknown_airtime', 'store_unavailable'],
    handle: async ({ c, params }) => {
      const stored = await store.list(account, 'airtime', params.reference)
      const [first, ...others] = await mapLimit(stored, MOST_QUERIED_AT_ONCE, async (row) =>
        readAirtime((await synchronizer.synchronizeWithin(row.id, 'poll')) ?? row),
      )
      if (!first) throw new ProblemError('unknown_airtime', 'No airtime has this reference.')
      return c.json(trackedOf([first, ...others]))
    },
  })
}

function answerSubmitted(c: Context, submitted: SubmittedAirtime): Response {
  switch (submitted.kind) {
    case 'created':
      return c.json(trackedOf(submitted.requests), 201)
    case 'existing':
      return c.json(trackedOf(submitted.requests), 200)
    case 'invalid':
      throw invalid(submitted.errors)
    case 'reference_reused':
      throw new ProblemError('reference_reused', 'Another list was sent under this reference.')
  }
}
