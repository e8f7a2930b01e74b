import { readConfig } from '../../server/config/config.ts'
import { createApp } from '../../server/every-feature.ts'
import { FEATURES } from '../../server/features.ts'
import { operationsOf } from '../../server/openapi/document.ts'
import { createDocument, eventTypesOf } from '../../server/routes/openapi.ts'
import { openStore } from '../../server/store/open.ts'
import { ENVIRONMENT } from './worlds/environment.ts'

import type { DescribedOperation, JsonSchema } from '../../server/openapi/document.ts'

export interface DescribedRoute {
  id: string
  method: string
  path: string
  needsKey: boolean
  queries: string[]
  body: { schema: JsonSchema; example: object } | null
  /** The pointers to the schemas of successful responses, by HTTP status; `null` if the response is not JSON. */
  answers: Map<number, string | null>
  problems: { status: number; code: string }[]
  isStream: boolean
}

const store = openStore('sqlite::memory:')
export const describedApp = createApp({ config: readConfig(ENVIRONMENT), store, orders: () => null })
export const document = createDocument(describedApp, 'https://pay.shop.example', eventTypesOf(FEATURES))
export const { schemas } = document.components
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
    const at = `paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${status}`
    return {
      status: Number(status),
      type,
      pointer: type === 'application/json' ? `${at}/content/application~1json/schema` : null,
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
      answers.filter(({ codes }) => codes.length === 0).map(({ status, pointer }) => [status, pointer]),
    ),
    problems: answers.flatMap(({ status, codes }) => codes.map((code) => ({ status, code }))),
    isStream: answers.some(({ type }) => type === 'text/event-stream'),
  }
}

export function resolveRef(schema: JsonSchema): JsonSchema {
  return schema.$ref ? (schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}) : schema
}
