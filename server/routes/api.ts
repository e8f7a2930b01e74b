/**
 * Declares the routes below `/api`, the HTTP API for the merchant's backend. The API is off while MERCHANT_API_KEY is
 * not set; what MERCHANT_READ_KEY opens is on while either is.
 */

import { z } from 'zod'

import { readAirtime } from '../airtime/record.ts'
import { submitAirtime } from '../airtime/submit.ts'
import { airtimeOf, listedOf } from '../airtime/view.ts'
import { AirtimeOrder, ListedAirtime, TrackedAirtime } from '../api/airtime.ts'
import { AcknowledgeBody, ChargeBody, TrackedCharge, TrackedFulfilment } from '../api/charge.ts'
import { KINDS } from '../api/kinds.ts'
import { B2bBody, PayoutBody, TrackedPayout, TransferBody } from '../api/payout.ts'
import { TrackedCheckout } from '../api/view-schema.ts'
import { readCharge } from '../charges/record.ts'
import { submitCharge } from '../charges/submit.ts'
import { chargeOf } from '../charges/view.ts'
import { readCheckout } from '../checkouts/record.ts'
import { trackedCheckoutOf } from '../checkouts/view.ts'
import { acceptedAt } from '../config/secret.ts'
import { text } from '../contract/openapi-field.ts'
import { readTraceId, TRACEPARENT } from '../http/exchange.ts'
import { trackedFulfilmentOf, takeDecision } from '../payins/service-confirmation.ts'
import { readPayout } from '../payouts/record.ts'
import { submitPayout } from '../payouts/submit.ts'
import { payoutOf } from '../payouts/view.ts'
import { findOwn } from '../transactions/record.ts'
import { mapLimit } from '../work/work-loop.ts'
import { declareEvents } from './api/events.ts'
import { declareHistory } from './api/history.ts'
import { declarePayments, READ_PATHS } from './api/payments.ts'
import { declareRates } from './api/rates.ts'
import { declareResolve } from './api/resolve.ts'
import { answerList, listQuery, pageOf, positionOf } from './listing.ts'
import { problem, ProblemError, orProblem } from './problem.ts'
import { json, parsedBody, route, submittedBody } from './route.ts'

import type { KindName } from '../api/kinds.ts'
import type { ProblemCode } from '../api/problem-codes.ts'
import type { Refusal } from '../api/refusal.ts'
import type { Transaction } from '../store/store.ts'
import type { LimitedBody, RouteDeps, RouteTexts } from './route.ts'
import type { Hono, MiddlewareHandler } from 'hono'

export function declareApi(app: Hono, deps: RouteDeps): void {
  app.use('/api/*', requireKey(deps))
  declarePayouts(app, deps)
  declareCharges(app, deps)
  declareAirtime(app, deps)
  declareCheckouts(app, deps)
  declareResolve(app, deps)
  declareEvents(app, deps)
  declareHistory(app, deps)
  declarePayments(app, deps)
  declareRates(app, deps)
}

/**
 * Returns the middleware that checks the API key of each request. Requests with a right key are never limited: a
 * program with an old key may share their address.
 */
function requireKey({ config, clock, limiter, clientNetwork }: RouteDeps): MiddlewareHandler {
  return async (c, next) => {
    const isReading = READ_PATHS.test(c.req.path)
    const doors = [config.apiKeys, ...(isReading ? [config.readKeys] : [])].filter((keys) => keys !== null)
    if (doors.length === 0) {
      throw problem('not_found', 'The merchant API is off: no MERCHANT_API_KEY is set.')
    }

    c.header('cache-control', 'no-store')
    const sent = /^bearer +(.+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
    const accepted = doors.flatMap((keys) => [...acceptedAt(keys, clock.now())])
    if (sent !== undefined && accepted.some((key) => key.equals(sent))) {
      return next()
    }

    // Only wrong keys count: any website can make the merchant's browsers send requests without a key.
    const limitReached = sent === undefined ? null : limiter.take('api_keys', clientNetwork(c))
    if (limitReached) {
      throw new ProblemError(limitReached)
    }

    c.header('www-authenticate', 'Bearer')
    const names = isReading ? 'MERCHANT_API_KEY or the MERCHANT_READ_KEY' : 'MERCHANT_API_KEY'
    throw problem('unauthorized', `Send Authorization: Bearer with the ${names}.`)
  }
}

const PAYOUT_DESCRIPTION = `The payout is stored, sent once, and queried until it is settled. The same request again returns the existing payout; another request under its payout_reference is refused. This server sets callback_url.

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
      description: PAYOUT_DESCRIPTION,
      body: { schema },
      schema: TrackedPayout,
      submit: (body, traceId) => submitPayout(deps, variant, body, traceId),
      show: ({ rows: [payout] }) => payoutOf(payout),
    })
  }

  declareResource(app, deps, {
    kind: 'payout',
    tag: 'Payouts',
    key: text('The payout_reference. 1–64 characters.', 'WAGES-2026-11-0001'),
    schema: TrackedPayout,
    show: ([row]) => payoutOf(readPayout(row)),
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

  declareResource(app, deps, {
    kind: 'charge',
    tag: 'Charges',
    key: text('The external_reference. 1–64 characters.', 'BILL-2026-11-0001'),
    schema: TrackedCharge,
    show: ([row]) => chargeOf(readCharge(row)),
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

/** The maximum size of a list of airtime, in bytes: 100,000 recipients in indented JSON fit. */
const MAX_LIST_BYTES = 16_000_000

function declareAirtime(app: Hono, deps: RouteDeps): void {
  declareCreate(app, deps, '/api/airtime', {
    kind: 'airtime',
    id: 'sendAirtime',
    tag: 'Airtime',
    summary: 'Send airtime',
    description: `All recipients are stored before the first is sent. Each is sent once and queried until it is settled. The same list again returns its state and sends what was never sent; another list under its reference is refused, and so is a list that repeats a phone number.

The outcome of a recipient is "pending" when the gateway accepted the request, "failed" with the gateway's message when it rejected it, and "sending" when its answer was lost. What may have been sent is queried and never sent again.`,
    body: { schema: AirtimeOrder, types: ['application/json'], maxBytes: MAX_LIST_BYTES },
    schema: TrackedAirtime,
    submit: (body, traceId, signal) => submitAirtime(deps, body, signal, traceId),
    show: ({ rows }) => airtimeOf(rows),
  })

  declareResource(app, deps, {
    kind: 'airtime',
    tag: 'Airtime',
    key: text('Your reference of the list. 1–64 characters.', 'AIRTIME-2026-11-0001'),
    listed: {
      description: 'One item for each request to the gateway, which holds at most 1,000 recipients.',
      schema: ListedAirtime,
      show: (row) => listedOf(readAirtime(row)),
    },
    retrieveSummary: 'Retrieve airtime: counts, sums, and each recipient',
    schema: TrackedAirtime,
    show: ([row, ...others]) => airtimeOf([readAirtime(row), ...others.map(readAirtime)]),
    find: (reference) => deps.store.list(deps.account, 'airtime', reference),
  })
}

function declareCheckouts(app: Hono, deps: RouteDeps): void {
  const { store, account, clock } = deps

  declareResource(app, deps, {
    kind: 'checkout',
    tag: 'Records',
    keyName: 'key',
    key: text('A checkout_id, or an order for its latest checkout.', 'A-1001'),
    schema: TrackedCheckout,
    show: ([row]) => trackedCheckoutOf(readCheckout(row), clock.now()),
    // First by the reference: whoever asks for an order never gets another one whose checkout has this id.
    find: async (key) => {
      const ofOrder = await store.list(account, 'checkout', key)
      const row = ofOrder.at(-1) ?? (await findOwn(deps, key))
      return row?.kind === 'checkout' ? [row] : []
    },
    unknownDetail: 'No checkout has this id, and no order this reference.',
  })
}

interface Create<Accepted> extends RouteTexts {
  kind: KindName
  body: LimitedBody<z.ZodType>
  schema: z.ZodType
  problems?: readonly ProblemCode[]
  /** @param traceId From the merchant's header `traceparent`; `null` if the new transaction gets a random one. */
  submit: (body: unknown, traceId: string | null, signal: AbortSignal) => Promise<Accepted | Refusal>
  show: (accepted: Accepted) => object
}

/** Declares the route that creates a transaction. Its reference is the idempotency key. */
function declareCreate<Accepted extends { kind: 'created' | 'existing' }>(
  app: Hono,
  { clock }: RouteDeps,
  path: string,
  { kind, body, schema, problems = [], submit, show, ...texts }: Create<Accepted>,
): void {
  route(app, 'POST', path, {
    ...texts,
    body: submittedBody(clock, body),
    answers: [
      json(201, `The ${kind} was stored and sent.`, schema),
      json(200, `The same ${kind} existed.`, schema),
    ],
    problems: ['reference_reused', 'record_deleted', ...problems, 'store_unavailable'],
    handle: async ({ c, body: readBody }) => {
      const traceId = readTraceId(c.req.header(TRACEPARENT))
      const accepted = orProblem(await submit(await readBody(), traceId, c.req.raw.signal))
      return c.json(show(accepted), accepted.kind === 'created' ? 201 : 200)
    },
  })
}

/** The transactions of one kind, as their routes show them. */
interface Resource {
  kind: KindName
  tag: RouteTexts['tag']
  /** The schema of the key, the last segment of the path. */
  key: z.ZodString
  /** The name of the key. Default: `reference`. */
  keyName?: string
  schema: z.ZodType
  /** Shows the transactions of a key. Only airtime has several. */
  show: (rows: readonly [Transaction, ...Transaction[]]) => object
  /** An item of the list, where it differs from what is retrieved. */
  listed?: { description: string; schema: z.ZodType; show: (row: Transaction) => object }
  /** The summary of the route that retrieves by key. */
  retrieveSummary?: string
  /** Finds the rows for a key. By default, finds the row whose reference is equal to the key. */
  find?: (key: string) => Promise<readonly Transaction[]>
  /** The `detail` of the problem document that is returned if no row is found. */
  unknownDetail?: string
}

type ResourceDeps = Pick<RouteDeps, 'store' | 'account' | 'synchronizer' | 'log'>

/** The maximum number of status queries that a request for a list of airtime sends at once. */
const MOST_QUERIED_AT_ONCE = 4

/**
 * Declares the routes that list the transactions of a kind, and that retrieve the transactions of a key. The second
 * queries the gateway, unless the stored state is recent: depending on the transaction, for 2 to 60 seconds.
 */
function declareResource(app: Hono, deps: ResourceDeps, resource: Resource): void {
  const { store, account, synchronizer, log } = deps
  const { kind, tag, key, keyName = 'reference', schema, show, find = findByReference } = resource
  const { listed = { schema, show: (row: Transaction) => show([row]) } } = resource
  const { retrieveSummary = `Retrieve a ${kind}`, unknownDetail = `No ${kind} has this reference.` } =
    resource
  const { plural } = KINDS[kind]
  const path = `/api/${plural}`
  const page = { id: `${capitalized(kind)}Page`, description: `A page of ${plural}.` }

  route(app, 'GET', path, {
    id: `list${capitalized(plural)}`,
    tag,
    summary: `List ${plural}`,
    ...('description' in listed && { description: listed.description }),
    query: listQuery(KINDS[kind].outcomes),
    answers: [json(200, 'One page, in the order of the last change.', pageOf(listed.schema).meta(page))],
    problems: ['store_unavailable'],
    handle: async ({ c, query }) =>
      answerList(c, await store.search(account, kind, query), { show: listed.show, positionOf }, log),
  })

  route(app, 'GET', `${path}/:${keyName}`, {
    id: `retrieve${capitalized(kind)}`,
    tag,
    summary: retrieveSummary,
    description: 'Queries the gateway when the stored state is no longer fresh.',
    params: z.object({ [keyName]: key }),
    answers: [json(200, `The ${kind} with its state.`, schema)],
    problems: [KINDS[kind].unknown, 'store_unavailable'],
    handle: async ({ c, params }) => {
      const stored = await find(params[keyName] ?? '')
      const synchronized = await mapLimit(stored, MOST_QUERIED_AT_ONCE, ({ id }) =>
        synchronizer.synchronizeWithin(id, 'poll'),
      )
      // A row may have been deleted meanwhile.
      const [row, ...others] = synchronized.filter((each) => each !== null)
      if (!row) {
        throw problem(KINDS[kind].unknown, unknownDetail)
      }
      return c.json(show([row, ...others]))
    },
  })

  async function findByReference(reference: string): Promise<Transaction[]> {
    const row = await store.findByReference(account, kind, reference)
    return row ? [row] : []
  }
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
