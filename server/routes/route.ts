/**
 * Declares routes. A declaration contains the path, the parameters, the body, the responses and the handler of a route.
 * The OpenAPI document, the page `/docs` and the table of routes in the README are generated from the declarations.
 */

import type { Context, Hono } from 'hono'
import type { ProblemCode } from '../api/problem-codes.ts'
import type { Clock } from '../work/clock.ts'
import type { Config } from '../config/config.ts'
import type { Engine } from '../engine.ts'
import type { Limiter } from '../limits/limiter.ts'
import type { Log } from '../log/log.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { IdentifyOrder, ResolveOrder } from '../orders/order.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Store } from '../store/store.ts'
import type { ClientNetwork } from '../limits/network.ts'
import { z } from 'zod'
import { PROBLEMS } from '../api/problem-codes.ts'
import { Problem } from '../api/problem.ts'
import { readBody } from './body.ts'
import { problemDocument, ProblemError, readGiven } from './problem.ts'

/** The parts of the server that the routes use. */
export interface RouteDeps extends Engine {
  config: Config
  resolveOrder: ResolveOrder
  /** Reads the order's reference from a signed order. `null` if orders are not signed. */
  identifyOrder: IdentifyOrder | null
  store: Store
  /** Writes to the store, at most once in 2 seconds. */
  checkStore: () => Promise<void>
  clock: Clock
  randomness: Randomness
  log: Log
  metrics: Metrics
  limiter: Limiter
  clientNetwork: ClientNetwork
  /** A signal that aborts when the process stops. */
  stopping: AbortSignal
}

export const TAGS = {
  Checkout: 'Routes for the widget, for plain forms, and for shoppers who return from the hosted page.',
  Payouts:
    'Payouts to wallets, bank accounts and businesses. The payout_reference is the idempotency key: the same request again returns the existing payout.',
  Charges:
    'Charges to payers, with shares for partner accounts. The external_reference is the idempotency key. A paid charge waits for your service confirmation.',
  Airtime: 'Airtime for one recipient or many. The reference is the idempotency key.',
  Records: 'Checkouts, events and the history of every transaction.',
  Rates: "The gateway's exchange rates and the balance of the float account. Queried for each request.",
  Callbacks: 'Routes for the gateway.',
  Health: 'Routes for operators.',
  Events:
    'Requests that this server sends to MERCHANT_WEBHOOK_URL, signed after Standard Webhooks: at least once, and in order for each transaction.',
} as const

export interface RouteTexts {
  /** The `operationId` in the OpenAPI document. */
  id: string
  tag: keyof typeof TAGS
  summary: string
  /** Plain text. An empty line separates two paragraphs. */
  description?: string
}

interface Declaration<Params, Query, Body> extends RouteTexts {
  params?: z.ZodType<Params>
  query?: z.ZodType<Query>
  body?: RequestBody<Body>
  answers: readonly Answer[]
  /**
   * The codes of the problems that `handle` may cause. The codes for a missing API key and for an invalid request are
   * added automatically.
   */
  problems: readonly ProblemCode[]
  handle: (request: RouteRequest<Params, Query, Body>) => Response | Promise<Response>
}

/**
 * The parts of a request. A part is validated when the handler reads it, except for a body from {@link submittedBody}.
 * An invalid part causes a `ProblemError` that names every invalid field.
 */
interface RouteRequest<Params, Query, Body> {
  c: Context
  readonly params: Params
  readonly query: Query
  readonly body: () => Promise<Body>
}

export interface DescribedBody<Schema> {
  schema: Schema
  /** The optional fields of the example. It has the examples of the required fields besides. */
  example?: object
  types?: readonly string[]
  maxBytes?: number
}

interface RequestBody<Body> extends DescribedBody<z.ZodType> {
  read: (c: Context) => Promise<Body>
}

const JSON_TYPE = 'application/json'
const JSON_OR_FORM = [JSON_TYPE, 'application/x-www-form-urlencoded']

/** Declares a request body that is validated with `body.schema` when the handler reads the body. */
export function parsedBody<Body>(clock: Clock, body: DescribedBody<z.ZodType<Body>>): RequestBody<Body> {
  return { ...body, read: async (c) => readGiven(body.schema, await readBody(c, clock, body.maxBytes)) }
}

/**
 * Declares a request body that the handler receives without validation, because missing fields are filled with defaults
 * from the configuration before the validation.
 */
export function submittedBody(clock: Clock, body: DescribedBody<z.ZodType>): RequestBody<unknown> {
  return { ...body, read: (c) => readBody(c, clock, body.maxBytes) }
}

interface Answer {
  status: number
  description: string
  content?: { type: string; schema: z.ZodType }
}

export function json(status: number, description: string, schema: z.ZodType): Answer {
  return { status, description, content: { type: JSON_TYPE, schema } }
}

/**
 * Adds a route to the app and to the OpenAPI document.
 *
 * @param path The full path, such as `/api/payouts/:reference`. Routes below `/api` require the API key.
 */
export function route<Params, Query, Body>(
  app: Hono,
  method: 'GET' | 'POST',
  path: string,
  declaration: Declaration<Params, Query, Body>,
): void {
  const { params, query, body, handle } = declaration
  class Request implements RouteRequest<Params, Query, Body> {
    readonly c: Context
    constructor(c: Context) {
      this.c = c
    }
    get params(): Params {
      return readGiven(declared(params), this.c.req.param())
    }
    get query(): Query {
      return readGiven(declared(query), this.c.req.query())
    }
    readonly body = () => declared(body).read(this.c)
  }
  // `Request` is a class, because V8 takes microseconds to create an object literal with getters.
  const handler = (c: Context) => handle(new Request(c))
  OPERATIONS.set(handler, () => operationOf(path, declaration))
  app.on(method, path, handler)
}

/**
 * The functions that describe routes for the OpenAPI document, by the handlers of the routes. They are called when the
 * document is generated, because they would delay the start of the server.
 */
export const OPERATIONS = new WeakMap<object, () => Operation>()
/** The named schemas of the operations that have been described. A name always means the same schema. */
export const SCHEMAS: Record<string, JsonSchema> = {}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: object[]
  parameters: { name: string; in: string; required: boolean; description: string; schema: JsonSchema }[]
  requestBody?: { required: true; content: Record<string, Content> }
  responses: Record<string, { description: string; content?: Record<string, Content> }>
}

interface Content {
  schema: JsonSchema
  example?: object
  examples?: Record<string, { summary: string; value: object }>
}

export interface JsonSchema {
  type?: string | string[]
  description?: string
  maxLength?: number
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  examples?: unknown[]
  const?: unknown
  $ref?: string
  [keyword: string]: unknown
}

function declared<Part>(part: Part | undefined): Part {
  if (part === undefined)
    throw new Error('The handler reads a part of the request that its route does not declare.')
  return part
}

function operationOf<Params, Query, Body>(
  path: string,
  declaration: Declaration<Params, Query, Body>,
): Operation {
  const { id, tag, summary, description, params, query, body, answers, problems } = declaration
  const needsKey = path.startsWith('/api/')
  const unreadable: ProblemCode[] = body ? ['invalid_request', 'too_large'] : ['invalid_request']
  const always: ProblemCode[] = needsKey
    ? ['unauthorized', 'too_many_requests', 'not_found', 'internal']
    : ['internal']
  const codes = [...(query || body ? unreadable : []), ...problems, ...always]
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: needsKey ? [{ key: [] }] : [],
    parameters: [...parametersOf('path', params), ...parametersOf('query', query)],
    ...(body && { requestBody: { required: true, content: contentOf(body) } }),
    responses: {
      ...Object.fromEntries(answers.map((answer) => [answer.status, responseOf(answer)])),
      ...problemResponses([...new Set(codes)]),
    },
  }
}

function contentOf({ schema, example, types = JSON_OR_FORM }: DescribedBody<z.ZodType>) {
  const converted = schemaOf(schema, 'input')
  const content = { schema: converted, example: { ...Object(exampleIn(converted)), ...example } }
  return Object.fromEntries(types.map((type) => [type, content]))
}

/** Returns an example of an answer: of all that its schema requires. */
export function exampleOf(schema: z.ZodType): unknown {
  return exampleIn(Schema.parse(z.toJSONSchema(schema, { unrepresentable: 'any' })))
}

function exampleIn({ $ref, ...own }: JsonSchema): unknown {
  const schema = $ref === undefined ? own : (SCHEMAS[$ref.slice(REF.length)] ?? {})
  const { examples, items, anyOf, enum: values, type = 'object', properties = {}, required = [] } = schema
  if (examples) return examples[0]
  if ('const' in schema) return schema.const
  if (values) return values[0]
  if (anyOf?.[0]) return exampleIn(anyOf[0])
  if (items) return [exampleIn(items)]
  if (type !== 'object') return { boolean: false, string: '', null: null }[String(type)] ?? 0
  return Object.fromEntries(required.map((name) => [name, exampleIn(properties[name] ?? {})]))
}

const REF = '#/components/schemas/'

/** Converts a zod schema into JSON Schema. A schema with a `ref` goes into {@link SCHEMAS}, and a reference to it stays. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const converted = z.toJSONSchema(schema, { unrepresentable: 'any', io, override: nameSchema })
  delete converted.$schema
  return Schema.parse(converted)
}

const Schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)
const Meta = z.object({ examples: z.array(z.unknown()).optional(), ref: z.string().optional() })

const nameSchema: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ zodSchema, jsonSchema }) => {
  const { examples, ref } = Meta.parse(z.globalRegistry.get(zodSchema) ?? {})
  // zod omits the examples of fields that it transforms. They show the values before the transformation.
  if (examples) jsonSchema.examples = examples
  if (ref === undefined) return
  delete jsonSchema['ref']
  SCHEMAS[ref] = Schema.parse({ ...jsonSchema })
  for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword]
  jsonSchema.$ref = REF + ref
}

function parametersOf(place: 'path' | 'query', schema: z.ZodType | undefined) {
  const { properties = {}, required = [] } = schema ? schemaOf(schema, 'input') : {}
  return Object.entries(properties).map(([name, { description = '', ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema: rest,
  }))
}

function responseOf({ description, content }: Answer) {
  return {
    description,
    ...(content && { content: { [content.type]: { schema: schemaOf(content.schema, 'output') } } }),
  }
}

/**
 * Returns the descriptions of error responses: one response for each HTTP status, with an example for each problem
 * code.
 */
function problemResponses(codes: readonly ProblemCode[]) {
  return Object.fromEntries(
    codes.map((code) => {
      const { status } = PROBLEMS[code]
      return [status, problemResponse(codes.filter((other) => PROBLEMS[other].status === status))]
    }),
  )
}

/** The server in the examples of problem documents. */
const EXAMPLE_URL = 'https://pay.shop.example'

function problemResponse(codes: readonly ProblemCode[]) {
  const examples = codes.map((code) => {
    const { title } = PROBLEMS[code]
    return [
      code,
      { summary: title, value: problemDocument(new ProblemError(code, `${title}.`), EXAMPLE_URL) },
    ]
  })
  const content = { schema: schemaOf(Problem, 'output'), examples: Object.fromEntries(examples) }
  return {
    description: codes.map((code) => `${code}: ${PROBLEMS[code].title}.`).join(' '),
    content: { 'application/problem+json': content },
  }
}
