/** Adds descriptions and examples to schemas, for the OpenAPI document. */

import { z } from 'zod'

/** Adds a description and examples to the schema of a field. Enums, booleans, lists and objects need no example. */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
): Schema {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) })
}

export const text = (description: string, ...examples: readonly unknown[]) =>
  field(z.string(), description, ...examples)
export const textOrNull = (description: string, ...examples: readonly unknown[]) =>
  field(z.string().nullable(), description, ...examples)

/** For each field of an object schema, a description followed by examples. Fields may be omitted. */
type Descriptions<Shape> = { readonly [Name in keyof Shape]?: readonly [string, ...unknown[]] }

/**
 * Creates an object schema with descriptions and examples for its fields. A field that is missing from `descriptions`
 * keeps the description of its own schema.
 *
 * @param error The error message for a value that is not an object.
 */
export function describeFields<const Shape extends z.ZodRawShape>(
  shape: Shape,
  descriptions: Descriptions<Shape>,
  error?: string,
): z.ZodObject<Shape> {
  const texts = new Map(Object.entries<readonly [string, ...unknown[]] | undefined>(descriptions))
  const fields = Object.entries<z.core.$ZodType>(shape).map(([name, schema]) => {
    const described = texts.get(name)
    return [name, described && schema instanceof z.ZodType ? field(schema, ...described) : schema]
  })
  // The new fields have the same types as the fields in `shape`; only their metadata differs.
  return z.object(z.custom<Shape>().parse(Object.fromEntries(fields)), error)
}
