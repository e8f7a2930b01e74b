/** The feature `charges`: the merchant's backend charges payers, with shares for partner accounts. */

import { z } from 'zod'

import { AcknowledgeBody, ChargeBody, TrackedCharge, TrackedFulfilment } from '../api/charge.ts'
import { chargeKind } from '../charges/kind.ts'
import { readCharge } from '../charges/record.ts'
import { submitCharge } from '../charges/submit.ts'
import { chargeOf } from '../charges/view.ts'
import { text } from '../contract/openapi-field.ts'
import { trackedFulfilmentOf } from '../payins/fulfilment.ts'
import { takeDecision } from '../payins/merchant-decision.ts'
import { declareResolve, ResolveBody, wholeTransaction } from '../routes/api/resolve.ts'
import { declareCreate, declareResource } from '../routes/api/resource.ts'
import { orProblem } from '../routes/problem.ts'
import { json, parsedBody, route } from '../routes/route.ts'

import type { Feature } from '../routes/feature.ts'
import type { Needs } from '../routes/route.ts'
import type { Hono } from 'hono'

export const charges: Feature = {
  name: 'charges',
  kind: { name: 'charge', rules: chargeKind },
  events: ['charge'],
  callbacks: ['charges'],
  routes(app, deps) {
    declareCreate(app, deps, '/api/charges', {
      kind: 'charge',
      id: 'createCharge',
      tag: 'Charges',
      summary: 'Create a charge, with shares for partner accounts',
      description: `With payment_method_code the gateway asks the payer for the money at once. Without it, redirect_url is the page where the payer pays. The charge is stored, sent once, and queried until it is settled. The same request again returns the existing charge; another request under its external_reference is refused.

PARTNER_ACCOUNTS_DYNAMIC is added to the shares. account_number, service_code and client_code default to the configuration. outcome is "sending" when the gateway's answer was lost: the charge is queried and never sent again.`,
      body: {
        schema: ChargeBody,
        example: {
          currency_code: 'KES',
          payment_method_code: 'MOMO_KEN',
          description: 'Two kangas',
          extra_data: {
            split_settlements: [{ account: 'PARTNER-001', amount: 1000, reason: 'The weaver' }],
          },
        },
      },
      schema: TrackedCharge,
      problems: ['charges_off'],
      submit: (body, traceId) => submitCharge(deps, body, traceId),
      toView: ({ rows: [charge] }) => chargeOf(charge),
    })

    declareResource(app, deps, {
      kind: 'charge',
      tag: 'Charges',
      key: text('The external_reference. 1–64 characters.', 'BILL-2026-11-0001'),
      schema: TrackedCharge,
      toView: ([row]) => chargeOf(readCharge(row)),
    })

    declareAcknowledge(app, deps)

    declareResolve(app, deps, {
      kind: 'charge',
      tag: 'Charges',
      reference: text('The external_reference. 1–64 characters.', 'BILL-2026-11-0001'),
      body: ResolveBody,
      answer: TrackedCharge,
      findSubject: (row) => wholeTransaction(readCharge(row), chargeOf),
    })
  },
}

type AcknowledgeDeps = Needs<'store' | 'account' | 'synchronizer' | 'kinds' | 'clock'>

function declareAcknowledge(app: Hono, deps: AcknowledgeDeps): void {
  route(app, 'POST', '/api/charges/:reference/acknowledge', {
    id: 'acknowledgeCharge',
    tag: 'Charges',
    summary: 'Acknowledge a charge',
    description: `Confirms (SUCCESSFUL: the shares are paid) or refuses (FAILED: the payer is refunded) the service for a paid charge. The first decision counts. Accepting charge.succeeded, or checkout.paid of an order with splits, decides SUCCESSFUL; to refuse service, acknowledge FAILED before you accept the event.

The decision is stored, and sent until the gateway answers. After the gateway refused it, you may decide again.`,
    params: z.object({
      reference: text(
        'The external_reference, or the merchant_transaction_id of a checkout with splits. 1–64 characters.',
        'BILL-2026-11-0001',
      ),
    }),
    body: parsedBody(deps.clock, {
      schema: AcknowledgeBody,
      example: { status: 'FAILED', narration: 'Sold out' },
    }),
    answers: [
      json(200, 'The gateway has answered.', TrackedFulfilment),
      json(202, 'The decision is stored and being sent.', TrackedFulfilment),
    ],
    problems: ['unknown_charge', 'charge_not_paid', 'acknowledged_otherwise', 'store_unavailable'],
    handle: async ({ c, params, body }) => {
      const { confirmation } = orProblem(await takeDecision(deps, params.reference, await body()))
      const fulfilment = trackedFulfilmentOf(confirmation, null)
      return c.json(fulfilment, fulfilment.stage === 'decided' ? 202 : 200)
    },
  })
}
