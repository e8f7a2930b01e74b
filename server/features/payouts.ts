/** The feature `payouts`: the merchant's backend pays wallets, bank accounts and businesses. */

import { B2bBody, PayoutBody, TrackedPayout, TransferBody } from '../api/payout.ts'
import { text } from '../contract/openapi-field.ts'
import { payoutKind } from '../payouts/kind.ts'
import { readPayout } from '../payouts/record.ts'
import { submitPayout } from '../payouts/submit.ts'
import { payoutOf } from '../payouts/view.ts'
import { declareResolve, ResolveBody, wholeTransaction } from '../routes/api/resolve.ts'
import { declareCreate, declareResource } from '../routes/api/resource.ts'

import type { Feature } from '../routes/feature.ts'

const PAYOUT_DESCRIPTION = `The payout is stored, sent, and queried until it is settled. The same request again returns the existing payout; another request under its payout_reference is refused. This server sets callback_url.

outcome is "pending" when the gateway accepted the payout, "failed" with error_code when it rejected it, and "sending" while it is not acknowledged: it was not sent yet, its answer was lost, or a rejection does not count yet. Do not create another payout in that case. The status is queried, and the payout is sent again, under the same reference, only after three queries over at least two minutes did not find it, and for at most a day.`

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

export const payouts: Feature = {
  name: 'payouts',
  kind: { name: 'payout', rules: payoutKind },
  events: ['payout', 'b2b'],
  callbacks: ['payouts', 'b2b'],
  routes(app, deps) {
    for (const { variant, path, schema, ...texts } of VARIANTS) {
      declareCreate(app, deps, path, {
        ...texts,
        kind: 'payout',
        tag: 'Payouts',
        description: PAYOUT_DESCRIPTION,
        body: { schema },
        schema: TrackedPayout,
        submit: (body, traceId) => submitPayout(deps, variant, body, traceId),
        toView: ({ rows: [payout] }) => payoutOf(payout),
      })
    }

    declareResource(app, deps, {
      kind: 'payout',
      tag: 'Payouts',
      key: text('The payout_reference. 1–64 characters.', 'WAGES-2026-11-0001'),
      schema: TrackedPayout,
      toView: ([row]) => payoutOf(readPayout(row)),
    })

    declareResolve(app, deps, {
      kind: 'payout',
      tag: 'Payouts',
      reference: text('The payout_reference. 1–64 characters.', 'WAGES-2026-11-0001'),
      body: ResolveBody,
      answer: TrackedPayout,
      findSubject: (row) => wholeTransaction(readPayout(row), payoutOf),
    })
  },
}
