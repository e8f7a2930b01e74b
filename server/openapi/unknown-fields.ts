/**
 * Finds the fields of a value that its schema does not have. zod drops such a field without a word, and nobody learns of
 * it: an order with `split` in place of `splits` would be paid, and the partner would get nothing. What the gateway
 * sends does not pass here: a gateway may add fields at any time.
 */

import { z } from 'zod'

import { nameOf, schemaOf } from './document.ts'

import type { JsonSchema, Schemas } from './document.ts'

/**
 * Who writes an object, which decides about its unknown fields:
 *
 * - `client`: a program, for this server. Every unknown field is refused.
 * - `shop`: the shop, for itself, such as a row of its database. [assumed] Its own fields are ignored. Refused is one that
 *   is written almost like a field of ours which is absent.
 * - `page`: people, with a form of the shop, which may have a token or a named button. [assumed] As for `shop`; but the
 *   short words of a form are more often words of their own, such as `county`, which is not our `country`.
 */
export type Writer = 'client' | 'shop' | 'page'

/**
 * The number of letters from which on a field may be recognized by all of its letters but one. Shorter words have
 * neighbours that mean something else, such as payee and payer. [assumed]
 */
const FEWEST_LETTERS = { client: 0, shop: 6, page: 8 } as const satisfies Record<Writer, number>

interface UnknownField {
  path: string
  message: string
}

/** The fields of a schema. */
interface Fields {
  /** The fields of an object; `null` if the value is to be something else. */
  byName: ReadonlyMap<string, Fields> | null
  /** The fields of the items of a list; `null` if the value is to be something else. */
  items: Fields | null
  /** Whether the object may have fields of the merchant, such as `extra_data`. */
  isOpen: boolean
}

/** Converting a schema takes milliseconds. */
const CONVERTED = new WeakMap<z.ZodType, Fields>()

/** A hostile body has thousands of unknown fields. A refusal names 100, and says that there are more. */
const MAX_FOUND = 101

/** Returns the fields in a value that its schema does not have, and that are refused, with what is wrong about them. */
export function findUnknownFields(schema: z.ZodType, value: unknown, writer: Writer): UnknownField[] {
  const fields = CONVERTED.get(schema) ?? convert(schema)
  CONVERTED.set(schema, fields)
  const found: UnknownField[] = []
  collect(found, fields, value, writer, [])
  return found
}

function collect(
  found: UnknownField[],
  fields: Fields,
  value: unknown,
  writer: Writer,
  path: readonly PropertyKey[],
): void {
  if (typeof value !== 'object' || value === null || found.length >= MAX_FOUND) {
    return
  }

  const { byName, items, isOpen } = fields
  if (items && Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      collect(found, items, item, writer, [...path, index])
    }

    return
  }
  if (!byName || Array.isArray(value)) {
    return
  }

  for (const [name, known] of byName) {
    collect(found, known, Reflect.get(value, name), writer, [...path, name])
  }

  const others = Object.keys(value).filter((name) => !byName.has(name))
  if (others.length === 0) {
    return
  }

  const known = [...byName.keys()]
  const absent = known.filter((name) => (Reflect.get(value, name) ?? null) === null)
  const owner = isOpen && writer === 'client' ? 'shop' : writer
  for (const name of others) {
    const meant = absent.find((field) => isMisspelling(name, field, FEWEST_LETTERS[owner]))
    const isRefused = meant !== undefined || owner === 'client'
    if (isRefused && Reflect.get(value, name) !== undefined && found.length < MAX_FOUND) {
      found.push({ path: z.core.toDotPath([...path, name]), message: describe(meant, known) })
    }
  }
}

function describe(meant: string | undefined, known: readonly string[]): string {
  if (meant !== undefined) {
    return `is not known here: did you mean ${meant}`
  }
  return `is not known here: ${known.length === 0 ? 'nothing is' : `known are ${known.join(', ')}`}`
}

/**
 * Returns whether `name` is `field` with other capitals, dashes or underscores or, from `fewestLetters` on, with one
 * letter more, fewer or another, or with two letters swapped. A name that begins with an underscore is that of a
 * framework, such as `_method`.
 */
function isMisspelling(name: string, field: string, fewestLetters: number): boolean {
  if (name.startsWith('_') || name.length > 2 * field.length) {
    return false
  }

  const written = lettersOf(name)
  const meant = lettersOf(field)
  return written === meant || (meant.length >= fewestLetters && differInOneLetter(written, meant))
}

function lettersOf(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

function differInOneLetter(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) {
    start++
  }

  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) {
    end++
  }

  const rest = one.slice(start, one.length - end)
  const otherRest = other.slice(start, other.length - end)
  const isSwapped = rest.length === 2 && otherRest === `${rest[1]}${rest[0]}`
  return isSwapped || Math.max(rest.length, otherRest.length) === 1
}

function convert(schema: z.ZodType): Fields {
  const named: Schemas = {}
  return fieldsOf([schemaOf(schema, 'input', named)], named)
}

/** Merges the fields of schemas that the same value may have. */
function fieldsOf(schemas: readonly JsonSchema[], named: Schemas): Fields {
  const alternatives = schemas.flatMap((schema) => alternativesOf(schema, named))
  const isObject = alternatives.some(({ properties }) => properties !== undefined)
  const names = new Set(alternatives.flatMap(({ properties = {} }) => Object.keys(properties)))
  const schemasOf = (name: string) => alternatives.map(({ properties }) => properties?.[name]).filter(isGiven)
  const items = alternatives.map((schema) => schema.items).filter(isGiven)
  return {
    byName: isObject ? new Map([...names].map((name) => [name, fieldsOf(schemasOf(name), named)])) : null,
    items: items.length > 0 ? fieldsOf(items, named) : null,
    isOpen: alternatives.some(({ additionalProperties }) => Boolean(additionalProperties)),
  }
}

const isGiven = (schema: JsonSchema | undefined) => schema !== undefined

function alternativesOf(schema: JsonSchema, named: Schemas): JsonSchema[] {
  const { anyOf = [], oneOf = [], allOf = [] } = schema
  const referred = named[nameOf(schema) ?? '']
  const others = [...anyOf, ...oneOf, ...allOf, ...(referred ? [referred] : [])]
  return [schema, ...others.flatMap((each) => alternativesOf(each, named))]
}
