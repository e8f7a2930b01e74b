/**
 * Defines the schemas of fields that several requests and responses have, of the gateway and of merchants. `text.ts`
 * decides how their text is read.
 */

import { z } from 'zod'

import { isCountryCode } from './country.ts'
import { decimalOf, isDecimal, isExact, withoutLeadingZeros } from './decimal.ts'
import { LONGEST } from './lengths.ts'
import { field } from './openapi-field.ts'
import { parseUrl } from './parse.ts'
import { compactNumber, readPhoneNumber } from './phone-number.ts'
import {
  cleanName,
  firstCharacters,
  isBlank,
  readEmail,
  wellFormed,
  withoutControls,
  withoutInvisible,
} from './text.ts'

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
  schema
    .refine((value) => firstCharacters(value, max) === value, `must be at most ${max} characters`)
    .meta({ maxLength: max })

const notBlank = z
  .string(orRequired('must be text'))
  .refine((value) => !isBlank(value), { error: 'must not be blank', abort: true })

/** What a reference does not contain: a character that is not printable ASCII, and a space that is not single and within. */
const NOT_IN_REFERENCES = /[^ -~]|^ | (?= )| $/u

/**
 * Returns the schema of a reference of at most `max` characters, which is never changed. [assumed] A reference consists
 * of printable ASCII: in the whole of Unicode, people and databases take texts for one that are not equal, and such a
 * reference would be paid twice. [assumed] It is not "." or "..", which no path of a URL can have as a part.
 *
 * @param cure What to do about a reference with other characters.
 */
export const verbatim = (max: number, cure = 'write another text with encodeURIComponent') =>
  atMost(notBlank, max)
    .refine((value) => value !== '.' && value !== '..', 'must not be "." or ".."')
    .refine((value) => !NOT_IN_REFERENCES.test(value), {
      error: ({ input }) => {
        const [found = ''] = NOT_IN_REFERENCES.exec(String(input)) ?? []
        return `must have only printable ASCII characters and single spaces within, not ${nameOf(found)}: ${cure}`
      },
    })

/** Names a character, and shows it if there is something to see. */
function nameOf(character: string): string {
  const point = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return isBlank(character) || wellFormed(character) !== character ? point : `${point} (${character})`
}

/**
 * The schema of an account number at the gateway. [assumed] It consists of printable ASCII, as references do: two
 * numbers that look alike would both be paid a share.
 */
export const accountNumber = verbatim(LONGEST.accountNumber, 'write it as the gateway does')

/** The schema of a name or a sentence of any length, which is not blank. */
export const sentence = notBlank.overwrite(withoutControls)

/** Returns the schema of a name or a sentence of at most `max` characters, which is not blank. */
export const text = (max: number) => atMost(sentence, max)

/**
 * Returns the schema of a payer's name. A name that the merchant sends is cleaned and never refused: a business may be
 * called "Booking.com". One that a shopper types is refused before (`routes/checkout-form.ts`).
 */
export const payerName = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (typeof value === 'string' ? cleanName(value) || undefined : value), schema)

/** The schema of an e-mail address. The characters that separate addresses in a header are refused. */
export const email = atMost(notBlank.overwrite(readEmail), LONGEST.email).refine(
  (value) => /^[^\s\p{C}@<>()[\]\\,;:"]+@[^\s\p{C}@<>()[\]\\,;:"]+$/u.test(value),
  'must be an e-mail address',
)

/**
 * Returns the schema of a list of at most `max` items. The length is checked before the items, because the errors of
 * thousands of items take seconds to collect.
 */
export const boundedList = <Item extends z.ZodType>(item: Item, max: number) =>
  z
    .preprocess(
      (value, context) => {
        if (!Array.isArray(value) || value.length <= max) {
          return value
        }

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
      (value) => (value === null || (typeof value === 'string' && isBlank(value)) ? undefined : value),
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
  z.string(orRequired('must be text')).regex(pattern, { error: rule, abort: true })

export const currency = field(
  code(/^[A-Z]{3}$/, 'must be an ISO 4217 code, such as KES'),
  'Currency code, ISO 4217.',
  'KES',
)

/**
 * Returns the number of a text that is whole, and every other value unchanged. [assumed] Callers and the gateway may send
 * whole numbers as text, written as amounts are: not "0x321" or "8e2", and not "2.000", which may mean two thousand.
 */
const wholeNumberIn = (value: unknown) =>
  typeof value === 'string' && isDecimal(value) && isExact(value, 0) ? Number(value) : value

/** Returns the schema of a whole number of at least `min`, which may be text. */
export const wholeNumber = (min: number) =>
  z.preprocess(
    wholeNumberIn,
    z
      .number(orRequired('must be a whole number'))
      // For zod, an integer that JavaScript cannot hold is too big.
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

const isAsWritten = (value: number) => !Number.isInteger(value) || Number.isSafeInteger(value)

/**
 * The schema of decimal text. A JSON number is accepted and converted to text, unless it is so large that it may not be
 * the number that was written. Zeros before the number are left out: a table of fixed width may have them, and some
 * readers take such a number for an octal one.
 */
export const decimal = z.preprocess(
  (value) => (typeof value === 'number' && isAsWritten(value) ? decimalOf(value) : value),
  z
    .string({
      error: ({ input }) =>
        input === undefined
          ? 'is required'
          : `must be decimal text${typeof input === 'number' ? ': JSON numbers are exact below 2^53' : ''}`,
    })
    .refine(isDecimal, { error: 'must be a decimal number', abort: true })
    .overwrite(withoutLeadingZeros),
)
export const positive = decimal
  .refine((value) => !/^-|^0+(\.0+)?$/.test(value), 'must be more than zero')
  .meta({ accepts: ['string', 'number'] })

/** Returns the schema of one of the gateway's codes, which may be text. */
export const coded = <const Code extends number>(codes: readonly Code[]) =>
  z.preprocess(wholeNumberIn, z.literal(codes))

/** Returns the schema of an absolute URL of at most `max` characters. */
export const url = (max: number) =>
  text(max).refine((value) => parseUrl(value) !== null, 'must be an absolute URL')

/** The schema of the URL that receives the callbacks of a transaction. */
export const callbackUrl = field(
  url(LONGEST.gatewayUrl),
  'Where the gateway sends callbacks.',
  'https://shop.example/callbacks',
)

/** The schema of a service code. */
export const serviceCode = (example: string) =>
  field(text(LONGEST.code), 'Service code from the merchant portal.', example)

/**
 * The schema of a timestamp in a request: ISO 8601 with an offset, because the server's time zone need not be that of
 * whoever wrote it.
 */
export const timestamp = z.iso.datetime({
  offset: true,
  ...orRequired('must be ISO 8601 with an offset, such as 2026-12-24T18:00:00Z'),
})

/**
 * The schema of an optional timestamp in a response of the gateway. The result is an ISO 8601 timestamp in UTC; null if
 * the timestamp is missing or invalid. [assumed] A timestamp without a UTC offset is in UTC, so a "Z" is appended.
 */
export const optionalTimestamp = z
  .string()
  .transform((value) => new Date(/[zZ]$|[+-]\d\d:?\d\d$/.test(value) ? value : `${value}Z`))
  .refine((value) => !Number.isNaN(value.getTime()))
  .transform((value): string | null => value.toISOString())
  .nullish()
  .catch(null)
  .transform((value) => value ?? null)

/**
 * The maximum number of characters of an optional text in a response of the gateway. Longer text is truncated, so that
 * it cannot fill a page or a log.
 */
const MAX_CHARACTERS = 1_000

/** Returns whether the text of a field says that it has no value. */
const isNothing = (text: string) => isBlank(text) || /^n\/a$/i.test(text)

/**
 * The schema of an optional text in a response of the gateway. The result is null for a missing, blank or null value.
 *
 * [assumed] The result is also null for "N/A", and text is truncated after 1,000 characters.
 */
export const optionalText = z.preprocess(asText, z.string().nullish().catch(null)).transform((value) => {
  const text = firstCharacters(value ?? '', MAX_CHARACTERS)
  return isNothing(text) ? null : text
})

/** Returns the schema of a text in a report, which may lack it. */
export const reported = (description: string, ...examples: readonly string[]) =>
  field(optionalText, `${description} Null when not reported.`, ...examples)

/**
 * A currency as the gateway states it, in the one spelling in which currencies are compared and summed. [assumed] Case
 * makes no other currency.
 */
const inCapitals = (text: string) => text.trim().toUpperCase()

/** The schema of a required currency in a response of the gateway. */
export const statedCurrency = nonEmpty.overwrite(inCapitals)

/** The schema of a currency in a report, which may lack it. */
export const reportedCurrency = field(
  optionalText.transform((value) => value && inCapitals(value)),
  'Currency, ISO 4217. Null when not reported.',
  'KES',
)

/**
 * The schema of an amount in a report. [assumed] A missing, blank or null amount, and "N/A", mean that there is none.
 */
export const statedAmount = z.preprocess((value) => (isUnstated(value) ? '0' : value), decimal)

/** The schema of the total in a report, which may state none. The result is then null, as for {@link statedAmount}. */
export const statedTotal = z.preprocess((value) => (isUnstated(value) ? null : value), decimal.nullable())

function isUnstated(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'string' && isNothing(value))
}

const phoneDigits = atMost(
  z.string(orRequired('must be text')).overwrite(withoutInvisible),
  LONGEST.phoneNumber,
).transform((value) => readPhoneNumber(value, null) ?? compactNumber(value).replace('+', ''))

/**
 * The schema of a phone number in the gateway's responses. The result has digits only. The gateway may report a number
 * that no country can have, or one as it is dialled in its country: its digits stay as they are.
 */
export const reportedNumber = z.preprocess(
  asText,
  phoneDigits.refine((value) => /^\d{7,15}$/.test(value), 'must be a phone number'),
)

/** The schema of a phone number in a request, with its country code: 8 to 15 digits (E.164). [spec: Airtime request] */
export const possibleMsisdn = field(
  phoneDigits
    .refine((value) => /^[1-9]\d{7,14}$/.test(value), {
      error: 'must be a phone number with its country code',
      abort: true,
    })
    .refine(
      (value) => readPhoneNumber(value, null) === value,
      'must have as many digits as the phone numbers of its country',
    ),
  'Phone number: country code first, 8–15 digits. A leading +, spaces, dashes and a trunk zero are removed.',
  '254700000001',
)

/**
 * The schema of a country code. [assumed] Where the spec does not name alpha-3, the alpha-2 codes of ISO 3166-1 are
 * accepted too.
 */
export const listedCountry = countryCode(/^[A-Z]{2,3}$/, 'ISO 3166-1')

/** The schema of an ISO 3166-1 alpha-3 code. */
export const listedAlpha3 = countryCode(/^[A-Z]{3}$/, 'ISO 3166-1 alpha-3')

function countryCode(pattern: RegExp, standard: string) {
  const rule = `must be an ${standard} code, such as KEN`
  return field(code(pattern, rule).refine(isCountryCode, rule), `Country code, ${standard}.`, 'KEN')
}

/**
 * The schema of a merchant's reference. The spec does not limit the characters of references.
 */
export const reference = field(
  verbatim(LONGEST.reference),
  'Your reference, the idempotency key, unique over its kind. 1–64 printable ASCII characters, and single spaces within.',
)
