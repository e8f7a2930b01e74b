/** This server in OpenAPI 3.1. Made from the tables of operations beside this file; a test holds them to the routes. */

import type { ProblemCode } from '../../api/problem-codes.ts'
import type { Answer, Body, Operation } from './operation.ts'
import type { JsonSchema } from './schemas.ts'
import { PROBLEMS } from '../../api/problem-codes.ts'
import { problemDocument, ProblemError } from '../problem.ts'
import { AIRTIME_OPERATIONS } from './airtime.ts'
import { TAGS, templateOf } from './operation.ts'
import { CHARGE_OPERATIONS } from './charges.ts'
import { PAYOUT_OPERATIONS } from './payouts.ts'
import { PUBLIC_OPERATIONS } from './public.ts'
import { RATE_OPERATIONS } from './rates.ts'
import { RECORD_OPERATIONS } from './records.ts'
import { componentSchemas, querySchema, referTo } from './schemas.ts'

export const OPERATIONS: readonly Operation[] = [
  ...PAYOUT_OPERATIONS,
  ...CHARGE_OPERATIONS,
  ...AIRTIME_OPERATIONS,
  ...RECORD_OPERATIONS,
  ...RATE_OPERATIONS,
  ...PUBLIC_OPERATIONS,
]

/** @param publicUrl Where this server is reached. */
export function createDocument(publicUrl: string) {
  return {
    openapi: '3.1.1',
    info: {
      title: 'gateway-checkout-server',
      version: '0.1.0',
      summary:
        'Checkouts, charges, payouts and airtime through the payment gateway, confirmed before anybody is told of them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'The MERCHANT_API_KEY of this server.' },
      },
      schemas: componentSchemas(),
    },
  }
}

function paths(): Record<string, Record<string, object>> {
  const all: Record<string, Record<string, object>> = {}
  for (const operation of OPERATIONS) {
    const path = templateOf(operation.path)
    all[path] = { ...all[path], [operation.method.toLowerCase()]: describe(operation) }
  }
  return all
}

function describe(operation: Operation): object {
  const { id, tag, summary, description, needsKey, body, answers } = operation
  return {
    operationId: id,
    tags: [tag],
    summary,
    ...(description && { description }),
    security: needsKey ? [{ key: [] }] : [],
    parameters: [...pathParameters(operation), ...queryParameters(operation)],
    ...(body && { requestBody: requestBody(body) }),
    responses: {
      ...Object.fromEntries(answers.map((answer) => [answer.status, response(answer)])),
      ...problemResponses(problemsOf(operation)),
    },
  }
}

/** What it names itself, and what every address may answer; by HTTP status. */
export function problemsOf({ needsKey, problems }: Operation): ProblemCode[] {
  const always: ProblemCode[] = needsKey ? ['unauthorized', 'not_found', 'internal'] : ['internal']
  return [...problems, ...always].toSorted((a, b) => PROBLEMS[a].status - PROBLEMS[b].status)
}

function pathParameters({ parameters = {} }: Operation): object[] {
  return Object.entries(parameters).map(([name, given]) => {
    const { description, values } =
      typeof given === 'string' ? { description: given, values: undefined } : given
    const schema = { type: 'string', ...(values && { enum: values }) }
    return { name, in: 'path', required: true, description, schema }
  })
}

function queryParameters({ query }: Operation): object[] {
  if (!query) return []
  const { properties = {}, required = [] } = querySchema(query)
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    description,
    schema,
  }))
}

function requestBody({ schema, types, example }: Body): object {
  const content = { schema: { $ref: referTo(schema) }, example }
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) }
}

function response({ description, content }: Answer): object {
  if (!content) return { description }
  const schema: JsonSchema =
    content.type === 'application/json' ? { $ref: referTo(content.schema) } : { type: 'string' }
  return { description, content: { [content.type]: { schema } } }
}

/** By HTTP status, each code with an example. */
function problemResponses(codes: readonly ProblemCode[]): Record<string, object> {
  const statuses = new Set(codes.map((code) => PROBLEMS[code].status))
  return Object.fromEntries(
    [...statuses].map((status) => {
      const here = codes.filter((code) => PROBLEMS[code].status === status)
      const examples = here.map((code) => {
        const { title } = PROBLEMS[code]
        return [code, { summary: title, value: problemDocument(new ProblemError(code, `${title}.`)) }]
      })
      return [
        status,
        {
          description: here.map((code) => `${code}: ${PROBLEMS[code].title}.`).join(' '),
          content: {
            'application/problem+json': {
              schema: { $ref: referTo('Problem') },
              examples: Object.fromEntries(examples),
            },
          },
        },
      ]
    }),
  )
}
