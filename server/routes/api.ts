/**
 * Declares the routes below `/api`, the HTTP API for the merchant's backend. The API is off while MERCHANT_API_KEY is
 * not set.
 */

import type { Hono, MiddlewareHandler } from 'hono'
import type { RouteDeps } from './route.ts'
import { json, parsedBody, route } from './route.ts'
import { declareEvents } from './api/events.ts'
import { declareHistory } from './api/history.ts'
import { declareRates } from './api/rates.ts'
import { problem, ProblemError, orProblem } from './problem.ts'
import { B2bBody, PayoutBody, TrackedPayout, TransferBody } from '../api/payout.ts'
import { readPayout } from '../payouts/record.ts'
import { payoutOf, submitPayout } from '../payouts/kind.ts'
import { declareCreate, declareResource } from './api/transactions.ts'
import { z } from 'zod'
import { AcknowledgeBody, ChargeBody, TrackedCharge, TrackedFulfilment } from '../api/charge.ts'
import { text } from '../contract/description.ts'
import { readCharge } from '../charges/record.ts'
import { chargeOf, submitCharge } from '../charges/kind.ts'
import { trackedFulfilmentOf, takeDecision } from '../payins/service-confirmation.ts'
import { readAirtime } from '../airtime/record.ts'
import { listedOf, airtimeOf } from '../airtime/kind.ts'
import { submitAirtime } from '../airtime/submit.ts'
import { AirtimeOrder, ListedAirtime, TrackedAirtime } from '../api/airtime.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { readCheckout } from '../checkouts/record.ts'
import { viewOf } from '../checkouts/view.ts'
import { findOwn } from '../transactions/record.ts'

export function declareApi(app: Hono, deps: RouteDeps): void {
  app.use('/api/*', requireKey(deps))
  declarePayouts(app, deps)
  declareCharges(app, deps)
  declareAirtime(app, deps)
  declareCheckouts(app, deps)
  declareEvents(app, deps)
  declareHistory(app, deps)
  declareRates(app, deps)
}

/**
 * Returns the middleware that checks the API key of each request. The right key is never limited: a program with an old
 * key may share the address of one with the right key, and no key can be guessed.
 */
function requireKey({ config, limiter, clientNetwork }: RouteDeps): MiddlewareHandler {
  const keys = config.apiKeys
  return async (c, next) => {
    if (!keys) throw problem('not_found', 'The merchant API is off: no MERCHANT_API_KEY is set.')
    c.header('cache-control', 'no-store')
    const given = /^bearer +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    if (given === undefined || !keys.some((key) => key.equals(given))) {
      // Another website can make a browser send requests without a key, but not with one.
      const refused = given === undefined ? null : limiter.take('api_keys', clientNetwork(c))
      if (refused) throw new ProblemError(refused)
      c.header('www-authenticate', 'Bearer')
      throw problem('unauthorized', 'Send Authorization: Bearer with the MERCHANT_API_KEY.')
    }
    await next()
  }
}

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

function declarePayouts(app: Hono, deps: RouteDeps): void {
  for (const { variant, path, schema, ...texts } of VARIANTS) {
    declareCreate(app, deps, path, {
      ...texts,
      kind: 'payout',
      tag: 'Payouts',
      description: DESCRIPTION,
      body: { schema },
      schema: TrackedPayout,
      submit: (body, traceId) => submitPayout(deps, variant, body, traceId),
      show: ({ rows: [payout] }) => payoutOf(payout),
    })
  }

  declareResource(app, deps, '/api/payouts', {
    kind: 'payout',
    tag: 'Payouts',
    key: ['reference', 'The payout_reference. 1–64 characters.', 'WAGES-2026-11-0001'],
    schema: TrackedPayout,
    show: (row) => payoutOf(readPayout(row)),
  })
}

function declareCharges(app: Hono, deps: RouteDeps): void {
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
    show: ({ rows: [charge] }) => chargeOf(charge),
  })

  declareResource(app, deps, '/api/charges', {
    kind: 'charge',
    tag: 'Charges',
    key: ['reference', 'The external_reference. 1–64 characters.', 'BILL-2026-11-0001'],
    schema: TrackedCharge,
    show: (row) => chargeOf(readCharge(row)),
  })

  declareAcknowledge(app, deps)
}

function declareAcknowledge(app: Hono, deps: RouteDeps): void {
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
      const fulfilment = trackedFulfilmentOf(confirmation)
      return c.json(fulfilment, fulfilment.stage === 'decided' ? 202 : 200)
    },
  })
}

/** The maximum size of the request body, in bytes. 100,000 recipients in indented JSON fit into 16 MB. */
const MAX_BODY_BYTES = 16_000_000

function declareAirtime(app: Hono, deps: RouteDeps): void {
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
    show: ({ rows }) => airtimeOf(rows),
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
    show: (row, ...others) => airtimeOf([readAirtime(row), ...others.map(readAirtime)]),
    find: (reference) => deps.store.list(deps.account, 'airtime', reference),
  })
}

function declareCheckouts(app: Hono, deps: RouteDeps): void {
  const { store, account, clock } = deps

  declareResource(app, deps, '/api/checkouts', {
    kind: 'checkout',
    tag: 'Records',
    key: ['key', 'A checkout_id, or an order for its latest checkout.', 'A-1001'],
    schema: CheckoutViewSchema,
    show: (row) => viewOf(readCheckout(row), clock.now()),
    /** Prefers the order whose reference is `key`: whoever asks for an order never gets another order. */
    find: async (key) => {
      const ofOrder = await store.list(account, 'checkout', key)
      const row = ofOrder.at(-1) ?? (await findOwn(deps, key))
      return row?.kind === 'checkout' ? [row] : []
    },
    unknown: 'No checkout has this id, and no order this reference.',
  })
}
