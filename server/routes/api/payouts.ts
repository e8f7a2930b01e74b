/** Declares the routes of `/api/payouts`, which create, list and retrieve payouts. */

import type { Hono } from 'hono'
import type { Transaction } from '../../store/store.ts'
import type { RouteDeps } from '../route.ts'
import { B2bBody, PayoutBody, TrackedPayout, TransferBody } from '../../api/payout.ts'
import { TRACKED_OUTCOMES } from '../../api/tracked.ts'
import { readPayout } from '../../payouts/record.ts'
import { trackedOf } from '../../payouts/kind.ts'
import { submitPayout } from '../../payouts/submit.ts'
import { json, route, submittedBody } from '../route.ts'
import { answerSubmitted, declareList, declareRetrieve, givenTraceId } from './transactions.ts'

const CREATE = {
  tag: 'Payouts',
  description: `The payout is stored, sent once, and queried until it is settled. The same request again returns the existing payout; another request under its payout_reference is refused. This server sets callback_url.

outcome is "pending" when the gateway accepted the payout, "failed" with error_code when it rejected it, and "sending" when its answer was lost. Do not create another payout in that case: the status is queried.`,
  answers: [
    json(201, 'The payout was created and sent.', TrackedPayout),
    json(200, 'The same payout existed.', TrackedPayout),
  ],
  problems: ['reference_reused', 'record_deleted', 'store_unavailable'],
} as const

/** The three routes that create payouts, one for each variant of a payout. */
const VARIANTS = [
  {
    variant: 'local',
    path: '/api/payouts',
    id: 'createPayout',
    summary: 'Create a payout to a wallet or a bank account',
    schema: PayoutBody,
  },
  {
    variant: 'transfer',
    path: '/api/payouts/imt',
    id: 'createTransfer',
    summary: 'Create an international money transfer',
    schema: TransferBody,
  },
  {
    variant: 'b2b',
    path: '/api/payouts/b2b',
    id: 'createB2bPayout',
    summary: 'Create a payout to a business: a paybill, a till or a bank account',
    schema: B2bBody,
  },
] as const

export function declarePayouts(app: Hono, deps: RouteDeps): void {
  const show = (row: Transaction) => trackedOf(readPayout(row))

  for (const { variant, path, schema, ...texts } of VARIANTS) {
    route(app, 'POST', path, {
      ...CREATE,
      ...texts,
      body: submittedBody(deps.clock, { schema }),
      handle: async ({ c, body }) => {
        const submitted = await submitPayout(deps, variant, await body(), givenTraceId(c))
        return answerSubmitted(c, submitted, ({ payout }) => trackedOf(payout))
      },
    })
  }

  declareList(app, deps, '/api/payouts', {
    kind: 'payout',
    id: 'listPayouts',
    tag: 'Payouts',
    summary: 'List payouts',
    outcomes: TRACKED_OUTCOMES,
    item: TrackedPayout,
    page: { ref: 'PayoutPage', description: 'A page of payouts.' },
    show,
  })

  declareRetrieve(app, deps, '/api/payouts/:reference', {
    kind: 'payout',
    id: 'retrievePayout',
    tag: 'Payouts',
    summary: 'Retrieve a payout',
    key: ['The payout_reference. 1–64 characters.', 'WAGES-2026-11-0001'],
    schema: TrackedPayout,
    show,
    unknown: 'No payout has this reference.',
  })
}
