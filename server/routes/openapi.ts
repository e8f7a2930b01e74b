/** Generates the OpenAPI 3.1 document from the declarations of the routes and the list of event types. */

import type { Hono } from 'hono'
import type { EventType } from '../api/kinds.ts'
import type { ProblemCode } from '../api/problem-codes.ts'
import type { Answer, Declaration, DescribedBody } from './route.ts'
import type { Discrepancy } from '../api/view.ts'
import { EVENT_TYPES, EVENTS, splitType, SUBJECTS } from '../api/kinds.ts'
import { PROBLEMS } from '../api/problem-codes.ts'
import { DECLARATIONS, JSON_TYPE, TAGS } from './route.ts'
import { z } from 'zod'
import { refuse, Problem } from '../api/refusal.ts'
import { version } from '../package.json'
import { problemDocument } from './problem.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'

/** Named schemas, by their names. */
export type Schemas = Record<string, JsonSchema>

export interface JsonSchema {
  type?: string | string[]
  description?: string
  maxLength?: number
  properties?: Schemas
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  examples?: unknown[]
  const?: unknown
  $ref?: string
  $defs?: Schemas
  [keyword: string]: unknown
}

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

export type Document = ReturnType<typeof createDocument>

/**
 * Creates the OpenAPI document.
 *
 * @param app The app on which all routes are mounted.
 * @param publicUrl The public URL of this server.
 */
export function createDocument(app: Hono, publicUrl: string) {
  const paths: Record<string, Record<string, Operation>> = {}
  const schemas: Schemas = {}
  for (const { path, method, handler } of app.routes) {
    const at = path.replaceAll(/:(\w+)/g, '{$1}')
    const declared = DECLARATIONS.get(handler)
    if (declared) paths[at] = { ...paths[at], [method.toLowerCase()]: operationOf(path, declared, schemas) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'gateway-checkout-server',
      version,
      summary: 'Checkouts, charges, payouts and airtime through the payment gateway.',
      description:
        'Routes below /api need the key and answer 404 while MERCHANT_API_KEY is not set. Every failure is a Problem with a stable code.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    webhooks: Object.fromEntries(EVENT_TYPES.map((type) => [type, { post: webhookOf(type, schemas) }])),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'MERCHANT_API_KEY of this server.' },
      },
      schemas,
    },
    paths,
  }
}

/** An operation with its method and path. For an event, `method` is `EVENT` and `path` is the type of the event. */
export type DescribedOperation = Operation & { method: string; path: string }

/** Returns the operations of the routes, followed by those of the events. */
export function operationsOf({ paths, webhooks }: Document): DescribedOperation[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method: method.toUpperCase(), path })),
  )
  const events = Object.entries(webhooks).map(([path, { post }]) => ({ ...post, method: 'EVENT', path }))
  return [...routes, ...events]
}

function operationOf(path: string, declared: Omit<Declaration, 'handle'>, schemas: Schemas): Operation {
  const { id, tag, summary, description, params, query, body, answers, problems } = declared
  const needsKey = path.startsWith('/api/')
  const codes = new Set<ProblemCode>([
    ...(query || body ? (['invalid_request'] as const) : []),
    ...(body ? (['too_large'] as const) : []),
    ...problems,
    ...(needsKey ? (['unauthorized', 'too_many_requests', 'not_found'] as const) : []),
    'internal',
  ])
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: needsKey ? [{ key: [] }] : [],
    parameters: [...parametersOf('path', params), ...parametersOf('query', query)],
    ...(body && { requestBody: { required: true, content: contentOf(body, schemas) } }),
    responses: {
      ...Object.fromEntries(answers.map((answer) => [answer.status, responseOf(answer, schemas)])),
      ...problemResponses([...codes], schemas),
    },
  }
}

function parametersOf(place: 'path' | 'query', schema: z.ZodType | undefined) {
  const { properties = {}, required = [] } = schema ? schemaOf(schema, 'input', {}) : {}
  return Object.entries(properties).map(([name, { description = '', ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema: rest,
  }))
}

function contentOf({ schema, example, types }: DescribedBody<z.ZodType>, schemas: Schemas) {
  const converted = schemaOf(schema, 'input', schemas)
  const content = { schema: converted, example: { ...Object(exampleIn(converted, schemas)), ...example } }
  const accepted = types ?? [JSON_TYPE, 'application/x-www-form-urlencoded']
  return Object.fromEntries(accepted.map((type) => [type, content]))
}

function responseOf({ description, content }: Answer, schemas: Schemas) {
  if (!content) return { description }
  return {
    description,
    content: { [content.type]: { schema: schemaOf(content.schema, 'output', schemas) } },
  }
}

/** The server in the examples of problem documents. */
const EXAMPLE_URL = 'https://pay.shop.example'

/** Describes error responses: one for each HTTP status, with an example for each problem code. */
function problemResponses(codes: readonly ProblemCode[], schemas: Schemas): Operation['responses'] {
  const schema = schemaOf(Problem, 'output', schemas)
  const statuses = new Set(codes.map((code) => PROBLEMS[code].status))
  const responses = [...statuses].map((status) => {
    const same = codes.filter((code) => PROBLEMS[code].status === status)
    const examples = same.map((code) => {
      const { title } = PROBLEMS[code]
      const value = problemDocument(refuse(code, `${title}.`), EXAMPLE_URL)
      return [code, { summary: title, value }]
    })
    const description = same.map((code) => `${code}: ${PROBLEMS[code].title}.`).join(' ')
    const content = { schema, examples: Object.fromEntries(examples) }
    return [status, { description, content: { 'application/problem+json': content } }]
  })
  return Object.fromEntries(responses)
}

function webhookOf(type: EventType, schemas: Schemas): Operation {
  const [subject] = splitType(type)
  const body = {
    type: 'object',
    description: `The body of ${type}.`,
    required: ['type', 'timestamp', 'data'],
    properties: {
      type: { const: type, description: 'Type of the event.' },
      timestamp: {
        type: 'string',
        format: 'date-time',
        description: 'When the outcome was confirmed. ISO 8601, UTC.',
        examples: ['2026-11-21T09:05:00.000Z'],
      },
      data: schemaOf(SUBJECTS[subject].data, 'output', schemas),
    },
  }
  return {
    operationId: type,
    tags: ['Events'],
    summary: `Receive ${type}`,
    description: EVENTS[type],
    parameters: [
      header('webhook-id', 'Id of the event, the same for every delivery. Handle each id once.', 'evt_2f9Kq'),
      header('webhook-timestamp', 'Time of the delivery, in seconds since the Unix epoch.', '1795251600'),
      header('webhook-signature', 'Signature by MERCHANT_WEBHOOK_SECRET, after Standard Webhooks.', 'v1,…'),
    ],
    requestBody: { required: true, content: { [JSON_TYPE]: { schema: body } } },
    responses: {
      '2XX': { description: 'Accepted. The event is not sent again.' },
      default: { description: 'Not accepted. The event is sent again, for about five days.' },
    },
  }
}

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}

const Converted = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)

/** Converts a zod schema into JSON Schema. The schemas with an `id` in it go into `schemas`, and references stay. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Schemas): JsonSchema {
  const json = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io,
    // zod omits the examples of fields that it transforms. They show the values before the transformation.
    override: ({ zodSchema, jsonSchema }) => {
      const examples = z.globalRegistry.get(zodSchema)?.['examples']
      if (Array.isArray(examples)) jsonSchema.examples = examples
    },
  })
  delete json.$schema
  const inDocument = JSON.stringify(json).replaceAll('#/$defs/', '#/components/schemas/')
  const { $defs, ...converted } = Converted.parse(JSON.parse(inDocument))
  Object.assign(schemas, $defs)
  return converted
}

/** Returns an example of an answer: of all that its schema requires. */
export function exampleOf(schema: z.ZodType): unknown {
  const schemas: Schemas = {}
  return exampleIn(schemaOf(schema, 'output', schemas), schemas)
}

/** Returns the name of a schema that is a reference. */
export function nameOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.split('/').at(-1)
}

function exampleIn(given: JsonSchema, schemas: Schemas): unknown {
  const schema = schemas[nameOf(given) ?? ''] ?? given
  const { examples, items, anyOf, enum: values, type = 'object', properties = {}, required = [] } = schema
  if (examples) return examples[0]
  if ('const' in schema) return schema.const
  if (values) return values[0]
  if (anyOf?.[0]) return exampleIn(anyOf[0], schemas)
  if (items) return [exampleIn(items, schemas)]
  if (type !== 'object') return { boolean: false, string: '', null: null }[String(type)] ?? 0
  return Object.fromEntries(required.map((name) => [name, exampleIn(properties[name] ?? {}, schemas)]))
}

/** Returns the body of an event. */
export function eventAbout(type: string, data: object, now: number): string {
  return JSON.stringify({ type, timestamp: new Date(now).toISOString(), data })
}

/** The fields that identify what an event is about. Their values can belong to nothing that exists. */
const REFERENCES = /^(order|checkout_id|merchant_transaction_id|(payout_|external_)?reference)$/

/** The end of an event type where the outcome has another name. */
const OUTCOMES: Readonly<Record<string, string>> = {
  paid_late: 'paid',
  overpaid: 'paid',
  needs_attention: 'jammed',
}
const STATUSES: Readonly<Record<string, number>> = { ...CHECKOUT_STATUS, review: CHECKOUT_STATUS.paid }

/** How the money of an event differs from what was asked; of the others, it does not. */
const DISCREPANCIES: Readonly<Record<string, Discrepancy>> = { overpaid: 'excess', review: 'short' }

/** Makes up the `data` of an event, with which a merchant tries a webhook. */
export function sampleOf(type: EventType, reference: string): object {
  const [subject, end] = splitType(type)
  const outcome = subject === 'checkout' ? (OUTCOMES[end] ?? end) : end
  const given: Readonly<Record<string, unknown>> = {
    outcome,
    settled: end !== 'needs_attention',
    environment: 'sandbox',
    discrepancy: DISCREPANCIES[end] ?? null,
    ...(subject === 'checkout' && { status: STATUSES[outcome] ?? null }),
  }
  const data = Object.entries(Object(exampleOf(SUBJECTS[subject].data))).map(([name, value]) => [
    name,
    REFERENCES.test(name) ? reference : name in given ? given[name] : value,
  ])
  return Object.fromEntries(data)
}
