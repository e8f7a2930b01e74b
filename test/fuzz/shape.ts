/** What a schema says of the fields of a body, by their place in it. */

import { z } from 'zod'

export interface Field {
  anyOf?: Field[]
  properties?: Record<string, Field>
  items?: Field
  maxLength?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  enum?: unknown[]
}

/** "extra_data", "split_settlements", 0, "amount" */
export type Place = readonly (string | number)[]

export const Shape = z.custom<Field>((value) => typeof value === 'object' && value !== null)

/** As JSON Schema, which says what a client may know of the rules. */
export function shapeOf(schema: z.ZodType): Field {
  return Shape.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

/** Every place of a value, and those that only the shape knows. */
export function placesIn(value: unknown, shape: Field, at: Place = []): Place[] {
  if (Array.isArray(value))
    return value.flatMap((item, index) => [
      [...at, index],
      ...placesIn(item, fieldAt(shape, [index]), [...at, index]),
    ])
  if (typeof value !== 'object' || value === null) return []
  const names = new Set([...Object.keys(value), ...Object.keys(resolved(shape).properties ?? {})])
  return [...names].flatMap((name) => {
    const inside: unknown = Object.getOwnPropertyDescriptor(value, name)?.value
    return [[...at, name], ...placesIn(inside, fieldAt(shape, [name]), [...at, name])]
  })
}

/** What the shape says of that place; nothing where it is silent. */
export function fieldAt(shape: Field, place: Place): Field {
  return place.reduce<Field>((field, part) => {
    const { properties = {}, items = {} } = resolved(field)
    return typeof part === 'number' ? items : Object.hasOwn(properties, part) ? (properties[part] ?? {}) : {}
  }, resolved(shape))
}

/** The first of several readings is enough to find limits in. */
function resolved(field: Field): Field {
  return field.anyOf?.[0] ?? field
}
