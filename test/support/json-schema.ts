import type { JsonSchema, Schemas } from '../../server/openapi/document.ts'
import { z } from 'zod'

export interface Schema {
  $ref?: string
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  type?: string | string[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
}

export function conform(
  value: unknown,
  schema: Schema,
  shapes: Record<string, Schema>,
  at = 'body',
): string[] {
  const { $ref, anyOf, type = [], items = {} } = schema
  if ($ref) return conform(value, shapes[$ref.split('/').at(-1) ?? ''] ?? {}, shapes, at)
  if (anyOf) {
    const tries = anyOf.map((each) => conform(value, each, shapes, at))
    return tries.some((problems) => problems.length === 0) ? [] : tries.flat()
  }
  if (schema.enum && !schema.enum.includes(value)) return [`${at} is ${JSON.stringify(value)}`]
  if ('const' in schema && schema.const !== value) return [`${at} is ${JSON.stringify(value)}`]
  const types = [type].flat()
  if (types.length > 0 && !types.some((each) => hasType(value, each)))
    return [`${at} is ${JSON.stringify(value)}, not ${types.join(' or ')}`]
  if (Array.isArray(value))
    return value.flatMap((each, index) => conform(each, items, shapes, `${at}.${index}`))
  return typeof value === 'object' && value !== null ? conformFields(value, schema, shapes, at) : []
}

function conformFields(
  value: object,
  { properties = {}, required = [], additionalProperties = true }: Schema,
  shapes: Record<string, Schema>,
  at: string,
): string[] {
  const missing = required.filter((name) => !(name in value)).map((name) => `${at}.${name} is missing`)
  const wrong = Object.entries(value).flatMap(([name, each]) => {
    const rest = additionalProperties === true ? {} : additionalProperties
    const field = Object.hasOwn(properties, name) ? properties[name] : rest
    return field ? conform(each, field, shapes, `${at}.${name}`) : [`${at}.${name} is not described`]
  })
  return [...missing, ...wrong]
}

function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

/** Returns what lacks a description, or an example where it is a text or a number. */
export function gapsIn(schema: JsonSchema, at: string, schemas: Schemas): string[] {
  const name = schema.$ref?.split('/').at(-1)
  const { description, examples } = name === undefined ? schema : (schemas[name] ?? {})
  return [
    ...(description ? [] : [`${at} has no description`]),
    ...(needsExample(schema) && !examples ? [`${at} has no example`] : []),
    ...fieldsIn(schema).flatMap(([field, below]) => gapsIn(below, `${at}.${field}`, schemas)),
  ]
}

function fieldsIn({
  properties = {},
  anyOf = [],
  items,
  additionalProperties,
}: JsonSchema): [string, JsonSchema][] {
  const values = Inside.safeParse(additionalProperties)
  const inside = [...anyOf, ...(items ? [items] : []), ...(values.success ? [values.data] : [])]
  return [...Object.entries(properties), ...inside.flatMap(fieldsIn)]
}

const Inside = z.custom<JsonSchema>((value) => typeof value === 'object' && value !== null)

function needsExample({ type, anyOf, enum: values, const: value }: JsonSchema): boolean {
  if (values !== undefined || value !== undefined) return false
  if (anyOf) return anyOf.some(needsExample)
  return [type].flat().some((each) => each === 'string' || each === 'number' || each === 'integer')
}
