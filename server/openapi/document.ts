/** OpenAPI 3.1 documents: their parts, and JSON Schema made from zod schemas. */

import { z } from 'zod'

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
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  examples?: unknown[]
  $ref?: string
  [keyword: string]: unknown
}

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security?: Record<string, string[]>[]
  parameters: { name: string; in: string; required: boolean; description: string; schema: JsonSchema }[]
  requestBody?: { required: true; content: Record<string, Content> }
  responses: Record<string, { description: string; content?: Record<string, Content> }>
  /** What the server sends about a request, by name and address. */
  callbacks?: Record<string, Record<string, { post: Operation }>>
}

interface Content {
  schema: JsonSchema
  example?: object
  examples?: Record<string, { summary: string; value: object }>
}

/** How a request is authenticated: an API key has the `name` of its header. */
type SecurityScheme = { type: string; description: string; scheme?: string; in?: string; name?: string }

export type Document = ReturnType<typeof documentOf>

/** @param webhooks The names are the `operationId`s. */
export function documentOf(
  { tags, ...info }: { tags: object; title: string; version: string; summary: string; description: string },
  url: string,
  operations: readonly [method: string, path: string, Operation][],
  webhooks: readonly Operation[],
  components: { securitySchemes: Record<string, SecurityScheme>; schemas: Schemas },
) {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [method, path, operation] of operations) {
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation }
  }

  return {
    openapi: '3.1.1',
    info: { ...info, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url }],
    tags: Object.entries(tags).map(([name, description]) => ({ name, description: String(description) })),
    webhooks: Object.fromEntries(webhooks.map((post) => [post.operationId, { post }])),
    components,
    paths,
  }
}

/**
 * An operation with its method and path. For an event, `method` is `EVENT` and `path` is the type of the event; for a
 * callback, `method` is `CALLBACK` and `path` says where its address is.
 */
export type DescribedOperation = Operation & { method: string; path: string }

/** Returns the operations of the routes, followed by those of the callbacks and of the events. */
export function operationsOf({ paths, webhooks }: Document): DescribedOperation[] {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method: method.toUpperCase(), path })),
  )
  const callbacks = routes
    .flatMap((operation) => Object.values(operation.callbacks ?? {}))
    .flatMap((byAddress) => Object.entries(byAddress))
    .map(([path, { post }]) => ({ ...post, method: 'CALLBACK', path }))
  const events = Object.entries(webhooks).map(([path, { post }]) => ({ ...post, method: 'EVENT', path }))
  return [...routes, ...callbacks, ...events]
}

export const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'

export interface OperationTexts {
  /** The `operationId` in the OpenAPI document. */
  id: string
  tag: string
  summary: string
  /** Plain text. An empty line separates two paragraphs. */
  description?: string
}

export interface DescribedBody<Schema = z.ZodType> {
  schema: Schema
  /** Fields of the example beside the required ones, which have examples in the schema. */
  example?: object
  /** Default: JSON and forms. */
  types?: readonly string[]
}

interface Described extends OperationTexts, Pick<Operation, 'responses' | 'security'> {
  params?: z.ZodType | undefined
  query?: z.ZodType | undefined
  body?: DescribedBody | undefined
}

/** Describes an operation, and adds the schemas with an `id` in its parts to `schemas`. */
export function operationOf(schemas: Schemas, described: Described): Operation {
  const { id, tag, params, query, body, responses, ...texts } = described
  return {
    operationId: id,
    tags: [tag],
    ...texts,
    parameters: [...parametersOf('path', params), ...parametersOf('query', query)],
    ...(body && { requestBody: { required: true, content: contentOf(body, schemas) } }),
    responses,
  }
}

/** Describes the parameters in a schema. */
export function parametersOf(place: 'path' | 'query', schema: z.ZodType | undefined) {
  const { properties = {}, required = [] } = schema ? schemaOf(schema, 'input', {}) : {}
  return Object.entries(properties).map(([name, { description = '', ...rest }]) => ({
    name,
    in: place,
    required: required.includes(name),
    description,
    schema: rest,
  }))
}

function contentOf({ schema, example, types = [JSON_TYPE, FORM_TYPE] }: DescribedBody, schemas: Schemas) {
  const converted = schemaOf(schema, 'input', schemas)
  const content = { schema: converted, example: { ...Object(exampleIn(converted, schemas)), ...example } }
  return Object.fromEntries(types.map((type) => [type, content]))
}

const Converted = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)

/** Converts a zod schema into JSON Schema. Those in it with an `id` are added to `schemas`, and referred to. */
export function schemaOf(schema: z.ZodType, io: 'input' | 'output', schemas: Schemas): JsonSchema {
  const json = z.toJSONSchema(schema, {
    unrepresentable: 'any',
    io,
    override: ({ zodSchema, jsonSchema }) => {
      // zod omits the examples of fields that it transforms. Ours are of the values before the transformation.
      const examples = z.globalRegistry.get(zodSchema)?.['examples']
      if (Array.isArray(examples)) {
        jsonSchema.examples = examples
      }

      // A field may take more types than zod sees, such as a number for decimal text.
      const { accepts } = jsonSchema
      if (io === 'input' && Array.isArray(accepts)) {
        jsonSchema.type = accepts
      }

      delete jsonSchema['accepts']
      // zod takes the value that replaces an invalid one for the meaning of an absent field.
      if (zodSchema._zod.def.type === 'catch') {
        delete jsonSchema.default
      }
    },
  })
  delete json.$schema
  const inDocument = JSON.stringify(json).replaceAll('#/$defs/', '#/components/schemas/')
  const { $defs, ...converted } = Converted.parse(JSON.parse(inDocument))
  Object.assign(schemas, $defs)
  return converted
}

/** Returns an example of an answer, with the fields that its schema requires. */
export function exampleOf(schema: z.ZodType): unknown {
  const schemas: Schemas = {}
  return exampleIn(schemaOf(schema, 'output', schemas), schemas)
}

/** Returns the name of a schema that is a reference. */
export function nameOf({ $ref }: JsonSchema): string | undefined {
  return $ref?.split('/').at(-1)
}

function exampleIn(referring: JsonSchema, schemas: Schemas): unknown {
  const schema = schemas[nameOf(referring) ?? ''] ?? referring
  const { examples, items, anyOf, enum: values, type = 'object', properties = {}, required = [] } = schema
  if (examples) {
    return examples[0]
  }
  if ('const' in schema) {
    return schema.const
  }
  if (values) {
    return values[0]
  }
  if (anyOf?.[0]) {
    return exampleIn(anyOf[0], schemas)
  }
  if (items) {
    return [exampleIn(items, schemas)]
  }
  if (type !== 'object') {
    return { boolean: false, string: '', number: 0, integer: 0 }[String(type)] ?? null
  }
  return Object.fromEntries(required.map((name) => [name, exampleIn(properties[name] ?? {}, schemas)]))
}
