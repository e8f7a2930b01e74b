/** Defines the schemas of fields that occur in several of the gateway's requests and responses. */

import { z } from 'zod'
import { isAlpha3Code, isCountryCode } from './country-code.ts'
import { isDecimal } from './decimal.ts'
import { isPossiblePhoneNumber } from './phone-number.ts'
import { parseUrl } from './parse-url.ts'

/**
 * Returns the `error` option of a zod schema. The error message is "is required" for a missing field, and `rule` for an
 * invalid field.
 */
export const orRequired = (rule: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined ? 'is required' : rule),
})

/**
 * Returns `schema` with a maximum text length of `max` characters. Use this function instead of zod's `max`: if the
 * value is not text but an object with a field `length`, zod's `max` may throw an error.
 */
export const atMost = <Text extends z.ZodType<string>>(schema: Text, max: number) =>
  schema.refine((value) => value.length <= max, `must be at most ${max} characters`).meta({ maxLength: max })

/** Returns the schema of a text that is not only white space and has at most `max` characters. */
export const text = (max: number) =>
  atMost(
    z
      .string(orRequired('must be text'))
      .refine((value) => value.trim() !== '', { error: 'must not be blank', abort: true }),
    max,
  )

/**
 * Returns the schema of a list of at most `max` items. The length is checked before the items, because the errors of
 * thousands of items take seconds to collect.
 */
export const boundedList = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .preprocess(
      (value, context) => {
        if (!Array.isArray(value) || value.length <= max) return value
        context.addIssue({ code: 'custom', message: `must have at most ${max} items` })
        return z.NEVER
      },
      z.array(item, 'must be a list'),
    )
    .meta({ maxItems: max })

/** The schema of a required, non-empty text in a response of the gateway. */
export const nonEmpty = z
  .string(orRequired('must be text'))
  .refine((value) => value !== '', 'must not be empty')
  .meta({ minLength: 1 })

/**
 * Returns the schema of an optional field of a request. Null and blank text are treated as absent, because merchants'
 * backends send null or blank text for missing values.
 */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .preprocess(
      (value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value),
      schema.optional(),
    )
    .optional()

export const oneOf = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z.enum(words, orRequired(`must be one of ${words.join(', ')}`))

/**
 * Returns the schema of a text that matches `pattern`, such as a currency code or a country code.
 *
 * @param rule The error message for a text that does not match.
 */
export const code = (pattern: RegExp, rule: string) =>
  z.string(orRequired('must be text')).regex(pattern, rule)

/**
 * Returns the schema of a whole number of at least `min`. [assumed] Numeric text is accepted and converted, because
 * callers and the gateway may send numbers as text.
 */
export const wholeNumber = (min: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^\s*-?\d+(\.0+)?\s*$/.test(value) ? Number(value) : value),
    z
      .number(orRequired('must be a whole number'))
      .int({ error: (issue) => (issue.code === 'too_big' ? 'is too large' : 'must be a whole number') })
      .min(min, `must be at least ${min}`),
  )

/**
 * Converts a number to text, and returns every other value unchanged. [assumed] The gateway may send a field either as
 * a number or as text.
 */
const asText = (value: unknown) => (typeof value === 'number' ? String(value) : value)

/** The schema of a required id in a response of the gateway. A number is converted to text. */
export const id = z.preprocess(asText, nonEmpty)

/** The schema of decimal text. A JSON number is accepted and converted to text. */
export const decimal = z.preprocess(
  asText,
  z
    .string(orRequired('must be decimal text'))
    .refine(isDecimal, { error: 'must be a decimal number', abort: true }),
)

/** Returns the schema of an absolute URL of at most `max` characters. */
export const url = (max: number) =>
  text(max).refine((value) => parseUrl(value) !== null, 'must be an absolute URL')

/** The schema of an ISO 8601 timestamp. [assumed] A timestamp without a UTC offset is in UTC, so a "Z" is appended. */
export const timestamp = z
  .string()
  .transform((value) => (/[zZ]$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`))
  .refine((value) => !Number.isNaN(Date.parse(value)), 'must be ISO 8601')

/**
 * The schema of an optional timestamp in a response of the gateway. The result is an ISO 8601 timestamp in UTC; null if
 * the timestamp is missing or invalid.
 */
export const optionalTimestamp = timestamp
  .transform((value): string | null => new Date(value).toISOString())
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

/**
 * The maximum number of characters of an optional text in a response of the gateway. Longer text is truncated, so that
 * it cannot fill a page or a log.
 */
const MOST_CHARACTERS = 1_000

/**
 * The schema of an optional text in a response of the gateway. The result is null for a missing, blank or null value.
 *
 * [assumed] The result is also null for "N/A", and text is truncated after 1,000 characters.
 */
export const optionalText = z.preprocess(asText, z.string().nullish().catch(null)).transform((value) => {
  const text = value?.slice(0, MOST_CHARACTERS) ?? ''
  return /^(\s*|n\/a)$/i.test(text) ? null : text
})

/**
 * The schema of a phone number with its country code. Spaces, punctuation and a leading + are removed, so that the
 * result has digits only.
 */
export const msisdn = atMost(z.string(orRequired('must be text')), 25)
  .transform((value) => value.replace(/[\s().-]/g, '').replace(/^\+/, ''))
  .refine((value) => /^[1-9]\d{7,14}$/.test(value), {
    error: 'must be a phone number with its country code',
    abort: true,
  })

/**
 * The schema of a phone number in a new request. Numbers in the gateway's responses and in stored requests have the
 * schema {@link msisdn}, because earlier versions accepted impossible numbers.
 */
export const possibleMsisdn = msisdn.refine(
  isPossiblePhoneNumber,
  'must have as many digits as the phone numbers of its country',
)

/**
 * The schema of a country code in a new request. [assumed] Where the spec does not name alpha-3, the alpha-2 codes of ISO
 * 3166-1 are accepted too.
 */
export const listedCountry = z
  .string(orRequired('must be text'))
  .refine(isCountryCode, 'must be an ISO 3166-1 code, such as KEN')

/** The schema of an ISO 3166-1 alpha-3 code in a new request. */
export const listedAlpha3 = z
  .string(orRequired('must be text'))
  .refine(isAlpha3Code, 'must be an ISO 3166-1 alpha-3 code, such as KEN')

/**
 * The schema of a merchant's reference, which becomes part of a URL path. The spec does not limit the characters of
 * references. [assumed] "." and ".." are refused because they change the path. Control characters and lone surrogates
 * are refused because a path cannot encode them.
 */
export const reference = text(64).refine(
  (value) => !/[\p{Cc}\p{Cs}]|^\.{1,2}$/u.test(value),
  'must have no control characters, and not be "." or ".."',
)
