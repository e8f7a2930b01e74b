/** The addresses of `/api/charges`. */

import type { Operation } from './operation.ts'
import { TRACKED_OUTCOMES } from '../../api/tracked.ts'
import { listQuery } from '../listing.ts'
import { json } from './operation.ts'

export const CHARGE_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/api/charges',
    id: 'charge',
    tag: 'Charges',
    summary: 'Charge a payer, with shares for partner accounts',
    description: `With payment_method_code the payer is asked for the money at once; without it the answer has a redirect_url where it is paid. Stored before it is sent, sent once, and followed until settled. The same request again answers the same charge; another request under its external_reference is refused.

Shares are held to their rules before anything is sent, and the dynamic partner accounts of the configuration are added. account_number, service_code and client_code come from the configuration where they are left out. A charge whose answer was lost is "sending"; it is asked about and never sent again.`,
    needsKey: true,
    body: {
      schema: 'ChargeRequest',
      types: ['application/json', 'application/x-www-form-urlencoded'],
      example: {
        external_reference: 'BILL-2026-11-0001',
        payer_msisdn: '254700000001',
        currency_code: 'KES',
        amount: 1500,
        payment_method_code: 'MOMO_KEN',
        description: 'Two kangas',
        extra_data: {
          split_settlements: [{ account: 'PARTNER-001', amount: 1000, reason: 'The weaver' }],
        },
      },
    },
    answers: [
      json(201, 'Sent for the first time.', 'TrackedCharge'),
      json(200, 'Sent before.', 'TrackedCharge'),
    ],
    problems: ['invalid_request', 'reference_reused', 'charges_off', 'too_large', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/api/charges',
    id: 'listCharges',
    tag: 'Charges',
    summary: 'List charges in the order of their last change',
    needsKey: true,
    query: listQuery(TRACKED_OUTCOMES),
    answers: [json(200, 'At most 100 of them.', 'TrackedCharges')],
    problems: ['invalid_request', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/api/charges/:reference',
    id: 'getCharge',
    tag: 'Charges',
    summary: 'See how a charge stands',
    description: 'Asks the gateway when the last answer is no longer fresh.',
    needsKey: true,
    parameters: { reference: 'The external_reference.' },
    answers: [json(200, 'As it stands.', 'TrackedCharge')],
    problems: ['unknown_charge', 'store_unavailable'],
  },
  {
    method: 'POST',
    path: '/api/charges/:reference/acknowledge',
    id: 'acknowledgeCharge',
    tag: 'Charges',
    summary: 'Say whether what was paid for was served',
    description: `SUCCESSFUL: the shares are paid to the partner accounts. FAILED: the money goes back to the payer. The first word counts, and taking the event charge.succeeded (or checkout.paid, of an order with splits) says SUCCESSFUL.

It is stored and sent until the gateway answers. What the gateway refused may be said anew.`,
    needsKey: true,
    parameters: {
      reference: 'The external_reference, or the merchant_transaction_id of a checkout with splits.',
    },
    body: {
      schema: 'AcknowledgeBody',
      types: ['application/json', 'application/x-www-form-urlencoded'],
      example: { status: 'FAILED', narration: 'Sold out' },
    },
    answers: [
      json(200, 'The gateway has answered.', 'TrackedFulfilment'),
      json(202, 'Stored, and on its way.', 'TrackedFulfilment'),
    ],
    problems: [
      'invalid_request',
      'unknown_charge',
      'charge_not_paid',
      'acknowledged_otherwise',
      'too_large',
      'store_unavailable',
    ],
  },
]
