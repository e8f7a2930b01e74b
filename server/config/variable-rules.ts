/** How the text of a variable becomes a value: the kinds of rules that the table of variables is written with. */

import { z } from 'zod'

import { referenceKey } from '../contract/comparison-keys.ts'
import { ADDRESS_RULE, isAddress } from './address.ts'
import { readByCurrency } from './gateway.ts'
import { isOneLine } from './one-line.ts'
import { isLongEnough, LONG_ENOUGH, Secret } from './secret.ts'

/** Converts the text of a variable; returns `null` if it breaks the rule. */
type Read<T> = (text: string) => T | null
type Test = (text: string) => boolean

const orNull = (isValid: Test) => (text: string) => (isValid(text) ? text : null)

/** A value of one line: a line break, or another control character, was copied with it by mistake. */
export const line = z.string().refine(isOneLine, 'must be one line, without control characters.')
/** Text of several lines, if need be: JSON, or a body. */
export const lines = z.string()

export const value = <T>(read: Read<T>, rule: string, from: z.ZodString = line) =>
  from.transform((text, context) => {
    const converted = read(text)
    if (converted !== null) {
      return converted
    }

    context.addIssue(`must be ${rule}.`)
    return z.NEVER
  })

export const text = (isValid: Test, rule: string) => value(orNull(isValid), rule)
export const optionalText = (isValid: Test, rule: string) => text(isValid, rule).optional()

export const oneOf = <const T extends readonly string[]>(...choices: T) =>
  z.enum(choices, `must be one of ${choices.join(', ')}.`)

const integer = (min: number, max: number) =>
  text(
    (digits) => /^\d{1,9}$/.test(digits) && +digits >= min && +digits <= max,
    `a whole number from ${min} to ${max}`,
  ).transform(Number)
export const optionalInteger = (min: number, max: number) => integer(min, max).optional()
export const integerOr = (fallback: string, min: number, max: number) => integer(min, max).prefault(fallback)

/** A variable that is set has a text: no operator can write this one. */
export const NO_ENTRIES = ''

/**
 * A comma-separated list. Every invalid entry has a message of its own, which `faultOf` ends. A list that has only commas
 * is a mistake: only TRUSTED_PROXIES can have none, and says so.
 */
export const list = <T>(read: Read<T>, faultOf: (entry: string) => string) =>
  z.string().transform((text, context) => {
    const entries = text.split(',').map((entry) => entry.trim())
    const given = entries.filter(Boolean)
    if (given.length === 0 && text !== NO_ENTRIES) {
      context.addIssue('has no entry.')
    }

    return given.flatMap((entry): T[] => {
      const converted = isOneLine(entry) ? read(entry) : null
      if (converted !== null) {
        return [converted]
      }

      const fault = isOneLine(entry) ? faultOf(entry) : 'which is not one line'
      // The entry may be a URL with a password.
      context.addIssue(`has "${entry.replace(/\/\/.*@/, '//…@')}", ${fault}.`)
      return []
    })
  })

export const listOf = (isValid: Test, rule: string) =>
  list(orNull(isValid), () => `which is not ${rule}`).optional()

/** Returns the rule that no two entries have the same name, however it is spelt. */
const eachOnce =
  <T>(nameOf: (entry: T) => string, keyOf: (name: string) => string = referenceKey) =>
  (entries: readonly T[], context: z.RefinementCtx) => {
    const names = entries.map(nameOf)
    const keys = names.map(keyOf)
    for (const name of names.filter((each, index) => keys.indexOf(keyOf(each)) !== index)) {
      context.addIssue(`names ${name} more than once.`)
    }
  }

export const listOfNamed = <T>(
  read: Read<T>,
  nameOf: (entry: T) => string,
  faultOf: (entry: string) => string,
  keyOf?: (name: string) => string,
) => list(read, faultOf).superRefine(eachOnce(nameOf, keyOf)).optional()

/** One text for all currencies, or one for each of them. */
export const byCurrency = (rule: string) =>
  value(readByCurrency, rule).superRefine(eachOnce(([currency]) => currency ?? ''))

/** The current value and, while it is being replaced, the previous one. */
export const rotated = <T extends z.ZodType>(schema: T) => z.tuple([schema], schema)
/** The value may also be in a file (`NAME_FILE`). */
export const FILE = { file: true }
/** A previous value is accepted, too (`NAME_PREVIOUS`, `NAME_PREVIOUS_FILE`). */
export const ROTATED = { file: true, rotated: true }
/** A port that the server listens on. */
export const LISTENED = { port: true }
export const optionalRotated = <T extends z.ZodType>(schema: T) => rotated(schema).optional().meta(ROTATED)
export const anySecret = line.transform((text) => new Secret(text))
export const secret = (isValid: Test, rule: string) => text(isValid, rule).pipe(anySecret)
export const longSecret = secret(isLongEnough, LONG_ENOUGH)

/** A key in the header of a request: with other characters, nobody could send it. */
const inHeader = text(
  (key) => /^[ -~]+$/.test(key),
  'of printable ASCII characters, which a header can carry',
)
export const headerKey = inHeader.pipe(anySecret)
export const longHeaderKey = inHeader.pipe(longSecret)

/** The lookbehind keeps the search in a text of many slashes from taking quadratic time. */
const withoutTrailingSlashes = (text: string) => text.replace(/(?<!\/)\/+$/, '')

/**
 * A base URL without trailing slashes. Scheme and host are in lower case and a default port is left out, because stored
 * transactions are found by the exact text of the base URL.
 */
export const baseUrl = text(isAddress, ADDRESS_RULE)
  .refine((url) => !/[?#{]/.test(url), 'must have no "?", "#" or "{": paths are put after it.')
  .transform((url) => withoutTrailingSlashes(new URL(url).href))
export const optionalBaseUrl = baseUrl.optional()

/** A time, or the beginning of a day, in milliseconds since the Unix epoch. */
export const optionalTime = value((text) => {
  const { success } = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text)
  return success ? Date.parse(text) : null
}, 'a date or a time such as 2026-11-30 or 2026-11-30T08:00:00Z').optional()

/** Every template writes such a text into an attribute as it is, escaped or not. */
export const isPlain = (text: string) => /^[^&<>"$]{0,200}$/.test(text)

export const optionalPath = (pattern: RegExp, rule: string) =>
  value((path) => (pattern.test(path) ? withoutTrailingSlashes(path) : null), rule).optional()
