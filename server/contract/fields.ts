/** Field types that more than one chapter of the specification uses. */

import { z } from 'zod'
import { isDecimal } from './decimal.ts'

/** What is left out is told apart from what is wrong. */
const orRequired = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is required' : rule),
})

/** Text with at least one visible character and at most `max` characters. */
export const text = (max: number) =>
  z
    .string(orRequired('must be text'))
    .refine((value) => value.trim() !== '', { error: 'must not be blank', abort: true })
    .max(max, `must be at most ${max} characters`)

/**
 * A field of a request that may be left out. Null and blank text count as absent: backends send them for a value that
 * they do not have.
 */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess(
      (value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
      schema.optional(),
    )
    .optional()

/** One of a few words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, orRequired(`must be one of ${words.join(', ')}`))

/** A code of a standard, such as a currency's or a country's. */
export const code = (pattern: RegExp, rule: string) =>
  z.string(orRequired('must be text')).regex(pattern, rule)

/**
 * A whole number of at least `min`, from a JSON number or numeric text.
 * [assumed] Clients of this contract send both, often in one integration.
 */
export const wholeNumber = (min: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\s*-?\d+(\.0+)?\s*$/.test(value) ? Number(value) : value),
    z
      .number(orRequired('must be a whole number'))
      .int({ error: (issue) => (issue.code === 'too_big' ? 'is too large' : 'must be a whole number') })
      .min(min, `must be at least ${min}`),
  )

/** Decimal text; a JSON number is taken and kept as text. [assumed] Gateways of this kind send both. */
export const decimal = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z
    .string(orRequired('must be decimal text'))
    .refine(isDecimal, { error: 'must be a decimal number', abort: true }),
)

/** An absolute URL of at most `max` characters. */
export const url = (max: number) =>
  text(max).refine((value) => URL.canParse(value), 'must be an absolute URL')

/** A moment as ISO 8601 text. [assumed] One without an offset is UTC, and comes out with its Z. */
export const timestamp = z
  .string()
  .transform((value) => (/[zZ]$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`))
  .refine((value) => !Number.isNaN(Date.parse(value)), 'must be ISO 8601')

/** A moment in UTC, or null where none can be read from what a gateway sent. */
export const optionalTimestamp = timestamp
  .transform((value): string | null => new Date(value).toISOString())
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

/**
 * Text that a gateway may leave out, blank or null where the tables say string; read as null when it says nothing.
 * [assumed] "N/A" means nothing as well.
 */
export const optionalText = z
  .preprocess(
    (value) => (typeof value === 'number' ? String(value) : value),
    z.string().nullish().catch(null),
  )
  .transform((value) => (value === undefined || value === null || /^(\s*|n\/a)$/i.test(value) ? null : value))

/** Phone number with country code: digits only, as stored and sent. A leading +, spaces and dashes are taken off. */
export const msisdn = z
  .string(orRequired('must be text'))
  .max(25, 'must be at most 25 characters')
  .transform((value) => value.replace(/[\s().-]/g, '').replace(/^\+/, ''))
  .refine((value) => /^[1-9]\d{7,14}$/.test(value), 'must be a phone number with its country code')

/**
 * [assumed] The spec names no characters for references. This one is a part of addresses, and a dot or two would
 * lead to another place there; control characters and halves of characters cannot be written in one.
 */
export const reference = text(64).refine(
  (value) => !/[\p{Cc}\p{Cs}]|^\.{1,2}$/u.test(value),
  'must have no control characters, and not be "." or ".."',
)
