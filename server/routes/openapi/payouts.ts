/** The addresses of `/api/payouts`. */

import type { Operation } from './operation.ts'
import { TRACKED_OUTCOMES } from '../../api/tracked.ts'
import { listQuery } from '../listing.ts'
import { json } from './operation.ts'

const sending = {
  method: 'POST',
  tag: 'Payouts',
  needsKey: true,
  description: `Stored before it is sent, sent once, and followed until settled. The same request again answers the same payout; another request under its reference is refused.

The answer's outcome says how it stands: "sending" when the gateway's answer was lost (it is settled by asking, never by sending blindly), "pending" when it was accepted, "failed" with error_code when it was rejected. callback_url is set by this server.`,
  answers: [
    json(201, 'Sent for the first time.', 'TrackedPayout'),
    json(200, 'Sent before.', 'TrackedPayout'),
  ],
  problems: ['invalid_request', 'reference_reused', 'too_large', 'store_unavailable'],
} as const satisfies Partial<Operation>

const bodyOf = (schema: 'PayoutRequest' | 'TransferRequest' | 'B2bRequest', example: object) => ({
  schema,
  types: ['application/json', 'application/x-www-form-urlencoded'] as const,
  example,
})

const WALLET = {
  recipient_first_name: 'Asha',
  recipient_last_name: 'Otieno',
  recipient_phone_number: '254700000001',
  recipient_account_number: '254700000001',
  recipient_account_name: 'Asha Otieno',
  destination_type: 'MOBILE',
  destination_name: 'MOMO_KEN',
  source_currency: 'KES',
  destination_currency: 'KES',
  exchange_rate: '1',
  sender_amount: '1500.00',
  sender_country_code: 'KEN',
  recipient_amount: '1500.00',
}

export const PAYOUT_OPERATIONS: readonly Operation[] = [
  {
    ...sending,
    path: '/api/payouts',
    id: 'sendPayout',
    summary: 'Pay out to a wallet or a bank account',
    body: bodyOf('PayoutRequest', {
      payout_reference: 'WAGES-2026-11-0001',
      service_code: 'PAYOUT-KES',
      ...WALLET,
      payment_description: 'Wages for November',
    }),
  },
  {
    ...sending,
    path: '/api/payouts/imt',
    id: 'sendTransfer',
    summary: 'Transfer money internationally',
    body: bodyOf('TransferRequest', {
      payout_reference: 'FAMILY-2026-11-0001',
      service_code: 'IMT-KES',
      ...WALLET,
      sender_first_name: 'Juma',
      sender_last_name: 'Mwangi',
      sender_type: 'INDIVIDUAL',
      recipient_type: 'INDIVIDUAL',
      recipient_occupation: 'Teacher',
      income_source: 'Salary',
      fund_purpose: 'Family support',
      payment_description: 'School fees',
    }),
  },
  {
    ...sending,
    path: '/api/payouts/b2b',
    id: 'sendB2bPayout',
    summary: 'Pay a business: a paybill, a till or a bank account',
    body: bodyOf('B2bRequest', {
      payout_reference: 'SUPPLIER-2026-11-0001',
      service_code: 'B2B-KES',
      payment_account_reference: 'INV-7731',
      recipient_name: 'Pwani Textiles',
      recipient_type: 'PAYBILL',
      recipient_account_number: '400200',
      amount: '25000.00',
      payment_description: 'Two bales of kanga cloth',
      payment_method: 'MOMO_B2B',
      currency_code: 'KES',
      country_code: 'KEN',
    }),
  },
  {
    method: 'GET',
    path: '/api/payouts',
    id: 'listPayouts',
    tag: 'Payouts',
    summary: 'List payouts in the order of their last change',
    needsKey: true,
    query: listQuery(TRACKED_OUTCOMES),
    answers: [json(200, 'At most 100 of them.', 'TrackedPayouts')],
    problems: ['invalid_request', 'store_unavailable'],
  },
  {
    method: 'GET',
    path: '/api/payouts/:reference',
    id: 'getPayout',
    tag: 'Payouts',
    summary: 'See how a payout stands',
    description: 'Asks the gateway when the last answer is no longer fresh.',
    needsKey: true,
    parameters: { reference: 'The payout_reference.' },
    answers: [json(200, 'As it stands.', 'TrackedPayout')],
    problems: ['unknown_payout', 'store_unavailable'],
  },
]
