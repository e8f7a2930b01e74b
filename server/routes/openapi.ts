/** Generates the OpenAPI 3.1 document from the declarations of the routes and the list of event types. */

import { EVENT_TYPES, EVENTS, splitType, SUBJECTS } from '../api/kind-table.ts'
import { PROBLEMS } from '../api/problem-codes.ts'
import { refuse, Problem } from '../api/refusal.ts'
import { documentOf, JSON_TYPE, operationOf, schemaOf } from '../openapi/document.ts'
import { version } from '../package.json'
import { problemDocument } from './problem.ts'
import { DECLARATIONS, TAGS } from './route.ts'

import type { EventType } from '../api/kind-table.ts'
import type { ProblemCode } from '../api/problem-codes.ts'
import type { Document, Operation, Schemas } from '../openapi/document.ts'
import type { Feature } from './feature.ts'
import type { Answer, Declaration } from './route.ts'
import type { Hono } from 'hono'

/**
 * Creates the OpenAPI document.
 *
 * @param app The app on which all routes are mounted.
 * @param publicUrl The public URL of this server.
 * @param eventTypes The types of the events that this server sends.
 */
export function createDocument(app: Hono, publicUrl: string, eventTypes: readonly EventType[]): Document {
  const schemas: Schemas = {}
  const operations = app.routes.flatMap(({ path, method, handler }): [string, string, Operation][] => {
    const declared = DECLARATIONS.get(handler)
    return declared ? [[method, path, operationFor(path, declared, schemas)]] : []
  })
  const events = eventTypes.map((type) => webhookOf(type, schemas))
  const info = {
    title: 'gateway-checkout-server',
    version,
    summary: 'Checkouts, charges, payouts and airtime through the payment gateway.',
    description:
      'Routes below /api need the key and answer 404 while MERCHANT_API_KEY is not set. Every failure is a Problem with a stable code.',
    tags: tagsOf([...operations.map(([, , operation]) => operation), ...events]),
  }
  const key = { type: 'http', scheme: 'bearer', description: 'MERCHANT_API_KEY of this server.' }
  return documentOf(info, publicUrl, operations, events, { securitySchemes: { key }, schemas })
}

/** Returns the chapters of the document that have an operation. */
function tagsOf(operations: readonly Operation[]): Partial<typeof TAGS> {
  const used = new Set(operations.flatMap(({ tags }) => tags))
  return Object.fromEntries(Object.entries(TAGS).filter(([name]) => used.has(name)))
}

/** Returns the types of the events about the transactions of these features. */
export function eventTypesOf(features: readonly Pick<Feature, 'events'>[]): EventType[] {
  const subjects = features.flatMap(({ events }) => events)
  return EVENT_TYPES.filter((type) => subjects.includes(splitType(type).subject))
}

/** The problems of a request without the right key, and of any request while the API is off. */
const KEY_PROBLEMS = ['unauthorized', 'too_many_requests', 'not_found'] as const

type Declared = Omit<Declaration, 'handle'>

function operationFor(path: string, declared: Declared, schemas: Schemas): Operation {
  const { answers, problems, ...described } = declared
  const needsKey = path.startsWith('/api/')
  const keyProblems = needsKey ? KEY_PROBLEMS : []
  const codes = new Set([
    ...readingProblems(described, needsKey),
    ...problems,
    ...keyProblems,
    'internal',
  ] as const)
  return operationOf(schemas, {
    ...described,
    security: needsKey ? [{ key: [] }] : [],
    responses: {
      ...Object.fromEntries(answers.map((answer) => [answer.status, responseOf(answer, schemas)])),
      ...problemResponses([...codes], schemas),
    },
  })
}

/**
 * Returns the codes of the problems that reading the parameters and the body of a route may cause.
 *
 * @param isStrict Whether query parameters that the route does not have are refused.
 */
function readingProblems(
  { query, body }: Pick<Declared, 'query' | 'body'>,
  isStrict: boolean,
): ProblemCode[] {
  if (body) {
    return ['invalid_request', 'too_large']
  }
  return query || isStrict ? ['invalid_request'] : []
}

function responseOf({ description, content }: Answer, schemas: Schemas) {
  if (!content) {
    return { description }
  }
  return { description, content: { [content.type]: { schema: schemaOf(content.schema, 'output', schemas) } } }
}

/** The PUBLIC_URL in the examples of problem documents. */
const EXAMPLE_URL = 'https://pay.shop.example'

/** Describes error responses: one for each HTTP status, with an example for each problem code. */
function problemResponses(codes: readonly ProblemCode[], schemas: Schemas): Operation['responses'] {
  const schema = schemaOf(Problem, 'output', schemas)
  const statuses = new Set(codes.map((code) => PROBLEMS[code].status))
  const responses = [...statuses].map((status) => {
    const codesOfStatus = codes.filter((code) => PROBLEMS[code].status === status)
    const examples = codesOfStatus.map((code) => {
      const { title } = PROBLEMS[code]
      const value = problemDocument(refuse(code, `${title}.`), EXAMPLE_URL)
      return [code, { summary: title, value }]
    })
    const description = codesOfStatus.map((code) => `${code}: ${PROBLEMS[code].title}.`).join(' ')
    const content = { schema, examples: Object.fromEntries(examples) }
    return [status, { description, content: { 'application/problem+json': content } }]
  })
  return Object.fromEntries(responses)
}

function webhookOf(type: EventType, schemas: Schemas): Operation {
  const { subject } = splitType(type)
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
      '2XX': {
        description:
          'Accepted, if the body is empty, JSON or one line of plain words. The event is not sent again.',
      },
      default: { description: 'Not accepted. The event is sent again, for about five days.' },
    },
  }
}

function header(name: string, description: string, example: string) {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example }
}
