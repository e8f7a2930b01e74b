/** Describes fields where they are declared: meaning, unit, limits and an example, for the OpenAPI document. */

import { z } from 'zod'

/** Adds a description and examples. Enumerations, flags, lists and objects need no example. */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
): Schema {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) })
}

/** A description and its examples, for every field of a shape. */
type Descriptions<Shape> = { readonly [Name in keyof Shape]: readonly [string, ...unknown[]] }

/** The same fields with descriptions, where a schema of the gateway's contract is part of our own wire. */
export function describeFields<const Shape extends z.ZodRawShape>(
  shape: Shape,
  descriptions: Descriptions<Shape>,
): z.ZodObject<Shape> {
  const texts = new Map(Object.entries<readonly [string, ...unknown[]]>(descriptions))
  const fields = Object.entries<z.core.$ZodType>(shape).map(([name, schema]) => {
    const [description = '', ...examples] = texts.get(name) ?? []
    return [name, schema instanceof z.ZodType ? field(schema, description, ...examples) : schema]
  })
  // Each name keeps its schema; only the metadata differs.
  return z.object(z.custom<Shape>().parse(Object.fromEntries(fields)))
}
