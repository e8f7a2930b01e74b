/** `/api/payouts`: sends each payout at most once, and tracks the payout until it is settled. */

import type { Context, Hono } from 'hono'
import type { Log } from '../../log.ts'
import type { SubmitPayout, SubmittedPayout } from '../../payouts/submit.ts'
import type { MerchantAccount, Store } from '../../store.ts'
import type { Synchronizer } from '../../transactions/synchronizer.ts'
import { z } from 'zod'
import { field } from '../../api/field.ts'
import { B2bBody, PayoutBody, TrackedPayout, TransferBody } from '../../api/payout.ts'
import { TRACKED_OUTCOMES } from '../../api/tracked.ts'
import { readPayout } from '../../payouts/record.ts'
import { trackedOf } from '../../payouts/tracked.ts'
import { answerList, listQuery, pageOf, positionOf } from '../listing.ts'
import { invalid, ProblemError } from '../problem.ts'
import { json, route, submittedBody } from '../route.ts'

export interface PayoutApi {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  log: Log
  submitPayout: SubmitPayout
}

const CREATE = {
  method: 'POST',
  tag: 'Payouts',
  description: `The payout is stored, sent once, and queried until it is settled. The same request again returns the existing payout; another request under its payout_reference is refused. This server sets callback_url.

outcome is "pending" when the gateway accepted the payout, "failed" with error_code when it rejected it, and "sending" when its answer was lost. Do not create another payout in that case: the status is queried.`,
  answers: [
    json(201, 'The payout was created and sent.', TrackedPayout),
    json(200, 'The same payout existed.', TrackedPayout),
  ],
  problems: ['invalid_request', 'reference_reused', 'too_large', 'store_unavailable'],
} as const

const Page = pageOf(TrackedPayout).meta({ ref: 'PayoutPage', description: 'A page of payouts.' })

export function declarePayouts(app: Hono, deps: PayoutApi): void {
  declareCreate(app, deps)
  declareRead(app, deps)
}

function declareCreate(app: Hono, { submitPayout }: PayoutApi): void {
  route(app, {
    ...CREATE,
    path: '/api/payouts',
    id: 'createPayout',
    summary: 'Create a payout to a wallet or a bank account',
    body: submittedBody(PayoutBody, {
      payout_reference: 'WAGES-2026-11-0001',
      service_code: 'PAYOUT-KES',
      ...WALLET,
      payment_description: 'Wages for November',
    }),
    handle: async ({ c, body }) => answerSubmitted(c, await submitPayout('local', await body())),
  })

  route(app, {
    ...CREATE,
    path: '/api/payouts/imt',
    id: 'createTransfer',
    summary: 'Create an international money transfer',
    body: submittedBody(TransferBody, {
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
    handle: async ({ c, body }) => answerSubmitted(c, await submitPayout('transfer', await body())),
  })

  route(app, {
    ...CREATE,
    path: '/api/payouts/b2b',
    id: 'createB2bPayout',
    summary: 'Create a payout to a business: a paybill, a till or a bank account',
    body: submittedBody(B2bBody, {
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
    handle: async ({ c, body }) => answerSubmitted(c, await submitPayout('b2b', await body())),
  })
}

function declareRead(app: Hono, { store, account, synchronizer, log }: PayoutApi): void {
  route(app, {
    method: 'GET',
    path: '/api/payouts',
    id: 'listPayouts',
    tag: 'Payouts',
    summary: 'List payouts',
    query: listQuery(TRACKED_OUTCOMES),
    answers: [json(200, 'One page, in the order of the last change.', Page)],
    problems: ['invalid_request', 'store_unavailable'],
    handle: async ({ c, query }) => {
      const rows = await store.search(account, 'payout', query)
      return answerList(c, rows, (row) => trackedOf(readPayout(row)), positionOf, log)
    },
  })

  route(app, {
    method: 'GET',
    path: '/api/payouts/:reference',
    id: 'retrievePayout',
    tag: 'Payouts',
    summary: 'Retrieve a payout',
    description: 'Queries the gateway when the stored state is no longer fresh.',
    params: z.object({
      reference: field(z.string(), 'The payout_reference. 1–64 characters.', 'WAGES-2026-11-0001'),
    }),
    answers: [json(200, 'The payout with its state.', TrackedPayout)],
    problems: ['unknown_payout', 'store_unavailable'],
    handle: async ({ c, params }) => {
      const known = await store.findByReference(account, 'payout', params.reference)
      const row = known && (await synchronizer.synchronizeWithin(known.id, 'poll'))
      if (!row) throw new ProblemError('unknown_payout', 'No payout has this reference.')
      return c.json(trackedOf(readPayout(row)))
    },
  })
}

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

function answerSubmitted(c: Context, submitted: SubmittedPayout): Response {
  switch (submitted.kind) {
    case 'created':
      return c.json(trackedOf(submitted.payout), 201)
    case 'existing':
      return c.json(trackedOf(submitted.payout), 200)
    case 'invalid':
      throw invalid(submitted.errors)
    case 'reference_reused':
      throw new ProblemError('reference_reused', 'Another payout was sent under this payout_reference.')
  }
}
