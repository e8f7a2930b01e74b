/** The schemas of those parts of the OpenAPI document that the page `/docs` and the tests read. */

import { z } from 'zod'

export interface JsonSchema {
  type?: string | string[]
  description?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  $ref?: string
  [keyword: string]: unknown
}

const Schema = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)
const Content = z.record(
  z.string(),
  z.object({
    schema: Schema,
    example: z.unknown().optional(),
    examples: z.record(z.string(), z.object({ summary: z.string() })).default({}),
  }),
)

const Operation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string().default(''),
  security: z.array(z.unknown()).default([]),
  parameters: z.array(
    z.object({
      name: z.string(),
      in: z.string(),
      required: z.boolean(),
      description: z.string(),
      schema: Schema,
    }),
  ),
  requestBody: z.object({ content: Content }).optional(),
  responses: z.record(z.string(), z.object({ description: z.string(), content: Content.default({}) })),
})

const Document = z.object({
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), Operation)),
  webhooks: z.record(z.string(), z.object({ post: Operation })),
  components: z.object({ schemas: z.record(z.string(), Schema) }),
})

export type DocumentParts = z.output<typeof Document>

/**
 * An operation of the OpenAPI document, with its method and path. For an event that this server sends, `method` is
 * `EVENT` and `path` is the type of the event.
 */
export type DescribedOperation = z.output<typeof Operation> & { method: string; path: string }

/** Reads the document. A field that is a link to a named schema gets the description of this schema. */
export function readDocument(document: object): DocumentParts {
  const parts = Document.parse(document)
  const { schemas } = parts.components
  const bodies = [...operationsOf(parts), ...webhooksOf(parts)].flatMap(({ requestBody, responses }) =>
    [requestBody, ...Object.values(responses)].flatMap((part) => Object.values(part?.content ?? {})),
  )
  for (const schema of [...Object.values(schemas), ...bodies.map((body) => body.schema)])
    describeLinks(schema, schemas)
  return parts
}

function describeLinks(
  { properties = {}, anyOf = [], items }: JsonSchema,
  schemas: Readonly<Record<string, JsonSchema>>,
): void {
  for (const field of Object.values(properties)) {
    const description = field.description ?? schemas[field.$ref?.split('/').at(-1) ?? '']?.description
    if (description !== undefined) field.description = description
  }
  for (const inside of [...Object.values(properties), ...anyOf, ...(items ? [items] : [])])
    describeLinks(inside, schemas)
}

export function operationsOf({ paths }: DocumentParts): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

export function webhooksOf({ webhooks }: DocumentParts): DescribedOperation[] {
  return Object.entries(webhooks).map(([path, { post }]) => ({ ...post, method: 'EVENT', path }))
}
