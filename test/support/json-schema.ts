import { z } from 'zod'

import type { JsonSchema, Schemas } from '../../server/openapi/document.ts'

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
  if (values !== undefined || value !== undefined) {
    return false
  }
  if (anyOf) {
    return anyOf.some(needsExample)
  }
  return [type].flat().some((each) => each === 'string' || each === 'number' || each === 'integer')
}
