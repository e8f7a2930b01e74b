import type { DescribedOperation } from '../../server/openapi/document.ts'
import type { Schema } from './json-schema.ts'
import { createApp } from '../../server/app.ts'
import { readConfig } from '../../server/config/config.ts'
import { operationsOf } from '../../server/openapi/document.ts'
import { createDocument } from '../../server/routes/openapi.ts'
import { openStore } from '../../server/store/open.ts'
import { ENVIRONMENT } from './world.ts'

export interface DescribedRoute {
  id: string
  method: string
  path: string
  needsKey: boolean
  queries: string[]
  body: { schema: Schema; example: object } | null
  /** The schemas of the endpoint's successful responses, by HTTP status; `null` if the response is not JSON. */
  answers: Map<number, Schema | null>
  problems: { status: number; code: string }[]
  isStream: boolean
}

const store = openStore('sqlite::memory:')
export const describedApp = createApp({ config: readConfig(ENVIRONMENT), store, orders: () => null })
export const document = createDocument(describedApp, 'https://pay.shop.example')
export const schemas: Record<string, Schema> = document.components.schemas
export const routes = operationsOf(document)
  .filter(({ method }) => method !== 'EVENT')
  .map(routeOf)
await store.close()

function routeOf({
  operationId,
  method,
  path,
  security = [],
  ...operation
}: DescribedOperation): DescribedRoute {
  const [body] = Object.values(operation.requestBody?.content ?? {})
  const answers = Object.entries(operation.responses).map(([status, { content = {} }]) => {
    const [type = null] = Object.keys(content)
    const [answer] = Object.values(content)
    return {
      status: Number(status),
      type,
      schema: answer?.schema ?? null,
      codes: Object.keys(answer?.examples ?? {}),
    }
  })
  return {
    id: operationId,
    method,
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    needsKey: security.length > 0,
    queries: operation.parameters.flatMap((each) => (each.in === 'query' ? [each.name] : [])),
    body: body ? { schema: body.schema, example: Object(body.example) } : null,
    answers: new Map(
      answers
        .filter(({ codes }) => codes.length === 0)
        .map(({ status, type, schema }) => [status, type === 'application/json' ? schema : null]),
    ),
    problems: answers.flatMap(({ status, codes }) => codes.map((code) => ({ status, code }))),
    isStream: answers.some(({ type }) => type === 'text/event-stream'),
  }
}

export function resolveRef(schema: Schema): Schema {
  return schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
}
