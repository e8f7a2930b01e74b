/**
 * Parses JSON, URLs and values of schemas without exceptions. JSON is read as gateways and merchants write it: limited
 * in depth, with long numbers and halves of characters, and without a field that is named twice. Values get error
 * messages of this project. Without them, an answer would contain the words of the validation library, such as "Invalid
 * input: expected string, received undefined".
 */

import type { z } from 'zod'

/**
 * The maximum depth of nested objects and lists. `JSON.parse` takes any depth, but the value could then not be
 * converted to text again: `JSON.stringify` would overflow the stack. [assumed]
 */
export const MAX_LEVELS = 100

/** An escape sequence: a surrogate pair, half of one, or any other. In UTF-8, every half is an escape sequence. */
const ESCAPES = /\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)/gis

/** A text or a number in JSON. A text may lack its end: searching one from every quote would take quadratic time. */
const VALUES = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*/gs

/** An escape sequence, for the search of texts: the rest of a longer one is plain text. */
const ESCAPE = /\\./gs
/** A text in valid JSON without escape sequences. With the colon that follows, it is the name of a field. */
const TEXTS = /"[^"]*"(\s*:)?/g

/**
 * Returns JSON in which each whole number that JavaScript cannot hold is a text with the same digits: an id of the
 * gateway may be such a number.
 */
export function withLongNumbersAsText(json: string): string {
  if (!/\d{16}/.test(json)) {
    return json
  }

  const isLong = (value: string) => /^-?\d+$/.test(value) && !Number.isSafeInteger(Number(value))
  return json.replaceAll(VALUES, (value) => (isLong(value) ? `"${value}"` : value))
}

/** What {@link parseJson} refuses, as the end of a sentence. */
export const NOT_JSON = `is not valid JSON, names a field twice, or is nested more than ${MAX_LEVELS} levels deep`

/**
 * Parses JSON text. Half a surrogate pair becomes U+FFFD. Returns `undefined` if the text is not JSON, is nested more
 * than {@link MAX_LEVELS} deep, or names a field of an object twice: `JSON.parse` takes the last one, and whoever else
 * reads the text may take the first. [assumed] Nobody writes such JSON on purpose.
 */
export function parseJson(text: string): unknown {
  try {
    const json = text.replaceAll(ESCAPES, (escape, half) => (half ? '\\ufffd' : escape))
    const value: unknown = JSON.parse(json)
    return isNoDeeperThan(MAX_LEVELS, value) && countNamesIn(json) === countFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns how many names of fields there are in valid JSON. */
function countNamesIn(json: string): number {
  let count = 0
  for (const [, colon] of json.replaceAll(ESCAPE, '').matchAll(TEXTS)) {
    count += colon === undefined ? 0 : 1
  }

  return count
}

/** Returns how many fields the objects within a value have. One that was named twice is one field. */
function countFields(value: unknown): number {
  if (typeof value !== 'object' || value === null) {
    return 0
  }

  const parts = Object.values(value)
  let count = Array.isArray(value) ? 0 : parts.length
  for (const part of parts) {
    count += countFields(part)
  }

  return count
}

/** Returns whether objects and lists are nested at most `levels` deep in the value. */
export function isNoDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) {
    return true
  }
  return levels > 0 && Object.values(value).every((part) => isNoDeeperThan(levels - 1, part))
}

/**
 * Parses an absolute URL, or one that is relative to `base`. Returns `null` if the text is no URL.
 *
 * `URL.canParse` is not used in this code base: once Node 20 has optimized a function, it reads the bytes of Latin-1
 * text as UTF-8, and accepts text for which `new URL` throws.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base)
  } catch {
    return null
  }
}

/** Decodes a part of a URL. Returns `null` if its percent signs are no encoding. */
export function decodedPart(part: string): string | null {
  try {
    return decodeURIComponent(part)
  } catch {
    return null
  }
}

/** Returns a text whose percent-encoded parts are decoded, wherever they are; what is wrongly encoded stays. */
export function decodedParts(text: string): string {
  return text.replaceAll(/(?:%[\da-f]{2})+/gi, (part) => decodedPart(part) ?? part)
}

/** Returns a test whether a text names an own entry of the table: "constructor" names none. */
export const isKeyOf =
  <Table extends object>(table: Table) =>
  (text: string): text is keyof Table & string =>
    Object.hasOwn(table, text)

/** Use this in place of `schema.safeParse` wherever a message may reach a client. */
export function safeParse<Output>(schema: z.ZodType<Output>, value: unknown): z.ZodSafeParseResult<Output> {
  const parsed = schema.safeParse(value)
  // Valid values are parsed without the messages, because with them zod takes four times as long.
  return parsed.success ? parsed : explain(schema, value)
}

/** Parses a value that has already failed, for the messages. */
export function explain<Output>(schema: z.ZodType<Output>, value: unknown): z.ZodSafeParseResult<Output> {
  return schema.safeParse(value, { error: messageFor })
}

function messageFor(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'is required' : (TYPES[issue.expected] ?? 'has the wrong type')
    case 'invalid_value':
      return issue.input === undefined
        ? 'is required'
        : `must be one of ${issue.values.map(String).join(', ')}`
    case 'too_small':
      return `must ${sizeOf(issue.origin)} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}`
    case 'too_big':
      return `must ${sizeOf(issue.origin)} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}`
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`
    case 'unrecognized_keys':
      return `must not have the fields ${issue.keys.join(', ')}`
    case 'invalid_format':
      return 'has the wrong format'
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    // A newer zod may have further codes.
    default:
      return 'is not valid'
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'must be text',
  number: 'must be a number',
  int: 'must be a whole number',
  boolean: 'must be true or false',
  object: 'must be an object',
  record: 'must be an object',
  array: 'must be a list',
  tuple: 'must be a list',
  null: 'must be null',
}

/** The size of a text is its number of characters, of a list its number of items, of a number its value. */
function sizeOf(origin: string): string {
  return origin === 'string' || origin === 'array' ? 'have a length of' : 'be'
}
