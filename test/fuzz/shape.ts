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

export type Place = readonly (string | number)[]

export const Shape = z.custom<Field>((value) => typeof value === 'object' && value !== null)

export function shapeOf(schema: z.ZodType): Field {
  return Shape.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
}

export function placesIn(value: unknown, shape: Field, at: Place = []): Place[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => [
      [...at, index],
      ...placesIn(item, fieldAt(shape, [index]), [...at, index]),
    ])
  }
  if (typeof value !== 'object' || value === null) {
    return []
  }

  const names = new Set([...Object.keys(value), ...Object.keys(resolved(shape).properties ?? {})])
  return [...names].flatMap((name) => {
    const inside: unknown = Object.getOwnPropertyDescriptor(value, name)?.value
    return [[...at, name], ...placesIn(inside, fieldAt(shape, [name]), [...at, name])]
  })
}

export function fieldAt(shape: Field, place: Place): Field {
  return place.reduce<Field>((field, part) => {
    const { properties = {}, items = {} } = resolved(field)
    return typeof part === 'number' ? items : Object.hasOwn(properties, part) ? (properties[part] ?? {}) : {}
  }, resolved(shape))
}

function resolved(field: Field): Field {
  return field.anyOf?.[0] ?? field
}
