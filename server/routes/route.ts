/**
 * Turns the declaration of a route, which contains its path, parameters, body, responses and handler, into a route of
 * the app. The OpenAPI document, the page `/docs` and the table of routes in the README are generated from the
 * declarations.
 */

import { z } from 'zod'

import { invalid } from '../api/refusal.ts'
import { JSON_TYPE } from '../openapi/document.ts'
import { findUnknownFields } from '../openapi/unknown-fields.ts'
import { parseOrProblem, ProblemError } from './problem.ts'
import { isJson, readBody } from './request-body.ts'

import type { ProblemCode } from '../api/problem-codes.ts'
import type { Config } from '../config/config.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { QueryQueue } from '../gateway/query-queue.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { DescribedBody, OperationTexts } from '../openapi/document.ts'
import type { Writer } from '../openapi/unknown-fields.ts'
import type { IdentifyOrder, ResolveOrder } from '../orders/sources.ts'
import type { Fingerprints, Sealer } from '../privacy/personal.ts'
import type { Limiter } from '../rate-limits/failed-requests.ts'
import type { ClientNetwork } from '../rate-limits/network.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'
import type { Callbacks } from '../transactions/callbacks.ts'
import type { Kinds } from '../transactions/kinds.ts'
import type { Sender } from '../transactions/sender.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Context, Hono } from 'hono'

/** The parts of the server that routes may name. */
export interface RouteDeps {
  config: Config
  store: Store
  account: MerchantAccount
  client: GatewayClient
  queries: QueryQueue
  sender: Sender
  synchronizer: Synchronizer
  callbacks: Callbacks
  kinds: Kinds
  fingerprints: Fingerprints
  sealer: Sealer
  clock: Clock
  randomness: Randomness
  log: Log
  metrics: Metrics | undefined
  resolveOrder: ResolveOrder
  /** Reads the order's reference from a signed order. `null` if orders are not signed. */
  identifyOrder: IdentifyOrder | null
  /** Writes to the store, at most once in 2 seconds. */
  checkStore: () => Promise<void>
  /** Warns once that events are not delivered, unless the workers run. */
  warnIfIdle: () => void
  limiter: Limiter
  clientNetwork: ClientNetwork
  /** A signal that aborts when the process stops. */
  stopping: AbortSignal
}

/** The parts that a route names. */
export type Needs<Name extends keyof RouteDeps> = Pick<RouteDeps, Name>

/** The chapters of the OpenAPI document, with their descriptions. */
export const TAGS = {
  Checkout: 'Routes for the widget, for plain forms, and for shoppers who return from the hosted page.',
  Payouts:
    'Payouts to wallets, bank accounts and businesses. The payout_reference is the idempotency key: the same request again returns the existing payout.',
  Charges:
    'Charges to payers, with shares for partner accounts. The external_reference is the idempotency key. A paid charge waits for your service confirmation.',
  Links:
    'Links that many may pay, each with an order of their own. Orders of links are checkouts like all others.',
  Airtime: 'Airtime for one recipient or many. The reference is the idempotency key.',
  Records: 'Checkouts, events and the history of every transaction.',
  Rates: "The gateway's exchange rates and the balance of the float account. Queried for each request.",
  Callbacks: 'Routes for the gateway.',
  Health: 'Routes for operators.',
  Events:
    'Requests that this server sends to MERCHANT_WEBHOOK_URL, signed after Standard Webhooks: at least once, and in order for each transaction.',
} as const

export interface RouteTexts extends OperationTexts {
  tag: keyof typeof TAGS
}

export interface Declaration<Params = unknown, Query = unknown, Body = unknown> extends RouteTexts {
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: RequestBody<Body>
  answers: readonly Answer[]
  /** The codes of the problems that `handle` may cause. Those of reading and of the API key are added. */
  problems: readonly ProblemCode[]
  handle: (request: RouteRequest<Params, Query, Body>) => Response | Promise<Response>
}

/**
 * The parts of a request. The body is read when the handler asks for it, and validated unless it is from
 * {@link submittedBody}. An invalid part causes a `ProblemError` that names every invalid field.
 */
interface RouteRequest<Params, Query, Body> {
  c: Context
  readonly params: Params
  readonly query: Query
  readonly body: () => Promise<Body>
}

export interface LimitedBody<Schema> extends DescribedBody<Schema> {
  /** Default: `MAX_BODY_BYTES`. */
  maxBytes?: number
}

interface RequestBody<Body> extends LimitedBody<z.ZodType> {
  clock: Clock
  parse: (value: unknown) => Body
}

/** Declares a request body that is validated with `body.schema` when the handler reads the body. */
export function parsedBody<Body>(clock: Clock, body: LimitedBody<z.ZodType<Body>>): RequestBody<Body> {
  return { ...body, clock, parse: (value) => parseOrProblem(body.schema, value) }
}

/**
 * Declares a request body that the handler receives without validation, because missing fields are filled with defaults
 * from the configuration before the validation. Only unknown fields are refused before.
 */
export function submittedBody(clock: Clock, body: LimitedBody<z.ZodType>): RequestBody<unknown> {
  return { ...body, clock, parse: (value) => value }
}

export interface Answer {
  status: number
  description: string
  content?: { type: string; schema: z.ZodType }
}

export function json(status: number, description: string, schema: z.ZodType): Answer {
  return { status, description, content: { type: JSON_TYPE, schema } }
}

export function page(description: string): Answer {
  return {
    status: 200,
    description,
    content: { type: 'text/html', schema: z.string().meta({ description: 'The page.' }) },
  }
}

/**
 * Adds a route to the app and to the OpenAPI document.
 *
 * @param path The full path, such as `/api/payouts/:reference`. Routes below `/api` require the API key.
 */
export function route<Params, Query, Body>(
  app: Hono,
  method: 'GET' | 'OPTIONS' | 'POST',
  path: string,
  declaration: Declaration<Params, Query, Body>,
): void {
  // `z.custom()` accepts anything: a handler does not read parts for which it declares no schema.
  const { params = z.custom<Params>(), query = z.custom<Query>(), body, handle } = declaration
  const isApi = path.startsWith('/api/')

  const handler = (c: Context) => {
    // A misspelt parameter would otherwise return everything, and of a repeated one only the first value would count.
    // Browsers and gateways add parameters to other routes.
    if (isApi) {
      refuseUnknown(declaration.query ?? NO_PARAMETERS, c.req.query(), 'client')
      refuseRepeated(c.req.queries())
    }

    return handle({
      c,
      params: parseOrProblem(params, c.req.param()),
      query: parseOrProblem(query, c.req.query()),
      async body() {
        if (!body) {
          throw new Error(`${path} declares no body.`)
        }

        const value = await readBody(c, body.clock, body.maxBytes)
        refuseUnknown(body.schema, value, isApi || isJson(c) ? 'client' : 'page')
        return body.parse(value)
      },
    })
  }

  DECLARATIONS.set(handler, declaration)
  app.on(method, path, handler)
}

const NO_PARAMETERS = z.object({})

/** @throws {ProblemError} that names each parameter with several values. */
function refuseRepeated(parameters: Readonly<Record<string, readonly string[]>>): void {
  const repeated = Object.entries(parameters).filter(([, values]) => values.length > 1)
  if (repeated.length > 0) {
    throw new ProblemError(invalid(repeated.map(([path]) => ({ path, message: 'must not be repeated' }))))
  }
}

/** @throws {ProblemError} that names each refused field that the schema does not have. */
function refuseUnknown(schema: z.ZodType, value: unknown, writer: Writer): void {
  const unknown = findUnknownFields(schema, value, writer)
  if (unknown.length > 0) {
    throw new ProblemError(invalid(unknown))
  }
}

/** The declarations by handler. The OpenAPI document looks up in it the handlers of an app's routes. */
export const DECLARATIONS = new WeakMap<object, Omit<Declaration, 'handle'>>()
