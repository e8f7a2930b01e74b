/** Declares the routes of `/api/payouts`, which create, list and retrieve payouts. */

import type { Hono } from 'hono'
import type { RouteDeps } from '../route.ts'
import { B2bBody, PayoutBody, TrackedPayout, TransferBody } from '../../api/payout.ts'
import { readPayout } from '../../payouts/record.ts'
import { trackedOf, submitPayout } from '../../payouts/kind.ts'
import { declareCreate, declareResource } from './transactions.ts'

const DESCRIPTION = `The payout is stored, sent once, and queried until it is settled. The same request again returns the existing payout; another request under its payout_reference is refused. This server sets callback_url.

outcome is "pending" when the gateway accepted the payout, "failed" with error_code when it rejected it, and "sending" when its answer was lost. Do not create another payout in that case: the status is queried.`

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
  for (const { variant, path, schema, ...texts } of VARIANTS) {
    declareCreate(app, deps, path, {
      ...texts,
      kind: 'payout',
      tag: 'Payouts',
      description: DESCRIPTION,
      body: { schema },
      schema: TrackedPayout,
      submit: (body, traceId) => submitPayout(deps, variant, body, traceId),
      show: ({ rows: [payout] }) => trackedOf(payout),
    })
  }

  declareResource(app, deps, '/api/payouts', {
    kind: 'payout',
    tag: 'Payouts',
    key: ['reference', 'The payout_reference. 1–64 characters.', 'WAGES-2026-11-0001'],
    schema: TrackedPayout,
    show: (row) => trackedOf(readPayout(row)),
  })
}
