/** The addresses of `/api/airtime`. */

import type { Operation } from './operation.ts'
import { AIRTIME_OUTCOMES } from '../../api/airtime.ts'
import { listQuery } from '../listing.ts'
import { json } from './operation.ts'

export const AIRTIME_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/api/airtime',
    id: 'sendAirtime',
    tag: 'Airtime',
    summary: 'Send airtime to one or to many',
    description: `All recipients are stored before the first is sent, each is sent once, and all are followed until settled. The same list again answers the same airtime and sends what was not sent yet; another list under its reference is refused. The same number twice is refused as well.

The answer says how each recipient stands: "sending" when the gateway's answer was lost (it is settled by asking, never by sending again), "pending" when it was accepted, "failed" with the gateway's message when it was rejected.`,
    needsKey: true,
    body: {
      schema: 'AirtimeOrder',
      types: ['application/json'],
      example: {
        reference: 'AIRTIME-2026-11-0001',
        recipients: [
          { phone_number: '254700000001', amount: '100.00' },
          { phone_number: '254700000002', amount: '50.00' },
        ],
      },
    },
    answers: [
      json(201, 'Sent for the first time.', 'TrackedAirtime'),
      json(200, 'Sent before.', 'TrackedAirtime'),
    ],
    problems: ['invalid_request', 'reference_reused', 'too_large', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/api/airtime',
    id: 'listAirtime',
    tag: 'Airtime',
    summary: 'List airtime in the order of its last change',
    description: 'One item for each request to the gateway, which takes a thousand recipients.',
    needsKey: true,
    query: listQuery(AIRTIME_OUTCOMES),
    answers: [json(200, 'At most 100 of them.', 'AirtimeList')],
    problems: ['invalid_request', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/api/airtime/:reference',
    id: 'getAirtime',
    tag: 'Airtime',
    summary: 'See how airtime stands: counts, sums, and each recipient',
    description: 'Asks the gateway when the last answer is no longer fresh.',
    needsKey: true,
    parameters: { reference: 'Yours.' },
    answers: [json(200, 'As it stands.', 'TrackedAirtime')],
    problems: ['unknown_airtime', 'store_unavailable'],
  },
]
