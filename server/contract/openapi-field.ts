/** Adds descriptions and examples to schemas, for the OpenAPI documents of this server and of the sandbox. */

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
