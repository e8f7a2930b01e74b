/** Adds descriptions and examples to schemas, for the OpenAPI document. */

import { z } from 'zod'

/** Adds a description and examples to a field. Enums, booleans, lists and objects need no example. */
export function field<Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
): Schema {
  return schema.meta({ description, ...(examples.length > 0 && { examples }) })
}

/** A description, followed by examples, for each field of a shape. */
type Descriptions<Shape> = { readonly [Name in keyof Shape]: readonly [string, ...unknown[]] }

/** Adds descriptions to the fields of a gateway schema that is reused in this server's own API. */
export function describeFields<const Shape extends z.ZodRawShape>(
  shape: Shape,
  descriptions: Descriptions<Shape>,
): z.ZodObject<Shape> {
  const texts = new Map(Object.entries<readonly [string, ...unknown[]]>(descriptions))
  const fields = Object.entries<z.core.$ZodType>(shape).map(([name, schema]) => {
    const [description = '', ...examples] = texts.get(name) ?? []
    return [name, schema instanceof z.ZodType ? field(schema, description, ...examples) : schema]
  })
  // Each field keeps its schema; only the metadata differs.
  return z.object(z.custom<Shape>().parse(Object.fromEntries(fields)))
}
