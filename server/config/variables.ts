/**
 * The environment variables of the server, in one table: each has its rule, its default, and its description for the
 * table in the README. {@link readVariables} reads them, and warns of similar names that nobody reads.
 */

import { z } from 'zod'

import { referenceKey } from '../contract/fields.ts'
import { isKeyOf } from '../contract/parse.ts'
import { readCountry } from '../contract/phone-number.ts'
import { ADDRESS_RULE, isAddress, isOrigin, parseAddress } from './address.ts'
import { isDark, isHelp } from './appearance.ts'
import { readByCurrency, readMethod, readPartner, ruleOfMethod } from './gateway.ts'
import {
  HEADERS_RULE,
  NOTICE_VALUES,
  readHeaders,
  readMailbox,
  readSmtpUrl,
  SMTP_RULE,
  TEMPLATE_TYPES,
} from './notices.ts'
import { isOneLine } from './one-line.ts'
import { problemOfFile, warningOf } from './private-file.ts'
import { readKeySet } from './public-keys.ts'
import { isLongEnough, isWebhookSecret, LONG_ENOUGH, Secret } from './secret.ts'
import { readStoreUrl, STORE_URL_RULE } from './store-url.ts'
import { whyUnreadable } from './text-file.ts'
import { isTimeZone, TIME_ZONE_RULE } from './time-zone.ts'
import { isNetwork } from './trusted-proxies.ts'

/** The environment variables by name, for example `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What is probably wrong: a variable that nobody reads or that is a mistake, or a file that others may read or change. */
export interface Warning {
  about: 'variables' | 'files'
  text: string
}

/** What is wrong with a missing or invalid variable. */
export interface Problem {
  /** The variable's name, without `_FILE` and `_PREVIOUS`. */
  about: string
  /** A sentence with the rule that is broken, and never a secret's value. */
  text: string
}

/** Converts the text of a variable; returns `null` if it breaks the rule. */
type Read<T> = (text: string) => T | null
type Test = (text: string) => boolean

const orNull = (isValid: Test) => (text: string) => (isValid(text) ? text : null)

/** A value of one line: a line break, or another control character, was copied with it by mistake. */
const line = z.string().refine(isOneLine, 'must be one line, without control characters.')
/** Text of several lines, if need be: JSON, or a body. */
const lines = z.string()

const value = <T>(read: Read<T>, rule: string, from: z.ZodString = line) =>
  from.transform((text, context) => {
    const converted = read(text)
    if (converted !== null) {
      return converted
    }

    context.addIssue(`must be ${rule}.`)
    return z.NEVER
  })

const text = (isValid: Test, rule: string) => value(orNull(isValid), rule)
const optionalText = (isValid: Test, rule: string) => text(isValid, rule).optional()

const oneOf = <const T extends readonly string[]>(...choices: T) =>
  z.enum(choices, `must be one of ${choices.join(', ')}.`)

const integer = (min: number, max: number) =>
  text(
    (digits) => /^\d{1,9}$/.test(digits) && +digits >= min && +digits <= max,
    `a whole number from ${min} to ${max}`,
  ).transform(Number)
const optionalInteger = (min: number, max: number) => integer(min, max).optional()
const integerOr = (fallback: string, min: number, max: number) => integer(min, max).prefault(fallback)

/** A variable that is set has a text: no operator can write this one. */
const NO_ENTRIES = ''

/**
 * A comma-separated list. Every invalid entry has a message of its own, which `faultOf` ends. A list that has only commas
 * is a mistake: only TRUSTED_PROXIES can have none, and says so.
 */
const list = <T>(read: Read<T>, faultOf: (entry: string) => string) =>
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

const listOf = (isValid: Test, rule: string) => list(orNull(isValid), () => `which is not ${rule}`).optional()

/** Returns the rule that no two entries have the same name, in any case. */
const eachOnce =
  <T>(nameOf: (entry: T) => string) =>
  (entries: readonly T[], context: z.RefinementCtx) => {
    const names = entries.map(nameOf)
    const keys = names.map(referenceKey)
    for (const name of names.filter((each, index) => keys.indexOf(referenceKey(each)) !== index)) {
      context.addIssue(`names ${name} more than once.`)
    }
  }

const listOfNamed = <T>(read: Read<T>, nameOf: (entry: T) => string, faultOf: (entry: string) => string) =>
  list(read, faultOf).superRefine(eachOnce(nameOf)).optional()

/** One text for all currencies, or one for each of them. */
const byCurrency = (rule: string) =>
  value(readByCurrency, rule).superRefine(eachOnce(([currency]) => currency ?? ''))

/** The current value and, while it is being replaced, the previous one. */
const rotated = <T extends z.ZodType>(schema: T) => z.tuple([schema], schema)
/** The value may also be in a file (`NAME_FILE`). */
const FILE = { file: true }
/** A previous value is accepted, too (`NAME_PREVIOUS`, `NAME_PREVIOUS_FILE`). */
const ROTATED = { file: true, rotated: true }
/** A port that the server listens on. */
const LISTENED = { port: true }
const optionalRotated = <T extends z.ZodType>(schema: T) => rotated(schema).optional().meta(ROTATED)
const anySecret = line.transform((text) => new Secret(text))
const secret = (isValid: Test, rule: string) => text(isValid, rule).pipe(anySecret)
const longSecret = secret(isLongEnough, LONG_ENOUGH)

/** A key in the header of a request: with other characters, nobody could send it. */
const inHeader = text(
  (key) => /^[ -~]+$/.test(key),
  'of printable ASCII characters, which a header can carry',
)
const headerKey = inHeader.pipe(anySecret)
const longHeaderKey = inHeader.pipe(longSecret)

/** The lookbehind keeps the search in a text of many slashes from taking quadratic time. */
const withoutTrailingSlashes = (text: string) => text.replace(/(?<!\/)\/+$/, '')

/**
 * A base URL without trailing slashes. Scheme and host are in lower case and a default port is left out, because stored
 * transactions are found by the exact text of the base URL.
 */
const baseUrl = text(isAddress, ADDRESS_RULE)
  .refine((url) => !/[?#{]/.test(url), 'must have no "?", "#" or "{": paths are put after it.')
  .transform((url) => withoutTrailingSlashes(new URL(url).href))
const optionalBaseUrl = baseUrl.optional()

/** A time, or the beginning of a day, in milliseconds since the Unix epoch. */
const optionalTime = value((text) => {
  const { success } = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text)
  return success ? Date.parse(text) : null
}, 'a date or a time such as 2026-11-30 or 2026-11-30T08:00:00Z').optional()

/** Every template writes such a text into an attribute as it is, escaped or not. */
const isPlain = (text: string) => /^[^&<>"$]{0,200}$/.test(text)

const optionalPath = (pattern: RegExp, rule: string) =>
  value((path) => (pattern.test(path) ? withoutTrailingSlashes(path) : null), rule).optional()

/** The variables by name, without `_FILE` and `_PREVIOUS`. */
export const Variables = z.object({
  GATEWAY_ENVIRONMENT: oneOf('sandbox', 'production').describe('`sandbox` or `production`.'),
  GATEWAY_BASE_URL: baseUrl.describe('Base URL of the gateway, from the merchant portal.'),
  GATEWAY_CONSUMER_KEY: z.tuple([anySecret]).meta(FILE).describe('From the merchant portal.'),
  GATEWAY_CONSUMER_SECRET: rotated(anySecret).meta(ROTATED).describe('From the merchant portal.'),
  GATEWAY_SERVICE_CODE: byCurrency('one code, or CURRENCY=CODE pairs such as KES=…,UGX=…').describe(
    'One code, or one per currency: `KES=CODE,UGX=CODE`.',
  ),
  GATEWAY_ACCOUNT_NUMBER: byCurrency('one number, or CURRENCY=NUMBER pairs such as KES=…,UGX=…').describe(
    'One number, or one per currency: `KES=NUMBER,UGX=NUMBER`, with at least the currencies of `GATEWAY_SERVICE_CODE`. Orders and charges name the account of their currency. The store knows you by these numbers: add and replace them one at a time, or run `adopt`.',
  ),
  PUBLIC_URL: baseUrl.describe(
    'The address of this server, with its path if it has one; https unless the gateway is on this machine.',
  ),
  MERCHANT_NAME: optionalText((name) => name.length <= 100, 'at most 100 characters').describe(
    'Your name, as shoppers know it: on the pages of this server, and in the text of `link`.',
  ),
  MERCHANT_METHODS: optionalText(isPlain, 'at most 200 characters, without & < > " and $').describe(
    'How shoppers can pay, such as `M-Pesa, Airtel Money, card`: as the attribute `methods` of the tag, on the pages of this server and wherever you write the tag. At most 200 characters, which mean the same in any template: without `&`, `<`, `>`, `"` and `$`.',
  ),
  MERCHANT_HELP: optionalText(isHelp, 'addresses with tel:, mailto: or https:, with | between them').describe(
    'Where shoppers reach you, on the pages of this server: as the attribute `help` of the tag.',
  ),
  MERCHANT_LOGO: optionalText((url) => isAddress(url) && url.startsWith('https:'), 'an https URL').describe(
    'Address of a square picture of yours, for the pages of this server. Default: the first letter of your name.',
  ),
  MERCHANT_ACCENT: optionalText(isDark, 'a colour such as #0f6e5c, on which white text can be read').describe(
    'Your colour, for the buttons of the pages of this server: `#` and six digits, dark enough for white text.',
  ),
  ALLOWED_ORIGINS: listOf(isOrigin, 'an origin such as https://shop.example').describe(
    'Origins of the pages with the tag, comma-separated, such as `https://shop.example`.',
  ),
  RETURN_URLS: listOf(
    (entry) => isAddress(entry) || isOrigin(entry),
    `${ADDRESS_RULE}, or an app's origin`,
  ).describe(
    'Pages to which a shopper may return, each including the paths below it, or a whole origin, also of an app (`capacitor://localhost`). Default: `ALLOWED_ORIGINS` and the origin of `PUBLIC_URL`. Below a path, encoded slashes and encoded dot segments are refused.',
  ),
  ORDERS_URL: optionalBaseUrl.describe(
    'Where your backend answers `GET ORDERS_URL/REFERENCE` with the order as JSON. Set this or a key for signed orders, unless `orders` is a function or all payments are those of reusable links.',
  ),
  ORDERS_TOKEN: z
    .tuple([headerKey])
    .optional()
    .meta(FILE)
    .describe('The bearer token of requests to `ORDERS_URL`; required with it.'),
  ORDER_SIGNING_KEY: optionalRotated(
    secret(
      (key) => new TextEncoder().encode(key).length >= 32,
      'at least 32 bytes long, such as the output of "openssl rand -base64 32"',
    ),
  ).describe('Key with which your backend signs orders (HS256), at least 32 bytes.'),
  ORDER_SIGNING_KEY_PREVIOUS_SINCE: optionalTime.describe(
    'When the key was replaced, such as `2026-11-30`; required with `ORDER_SIGNING_KEY_PREVIOUS`, which is ignored `ORDER_MAX_LIFETIME` later.',
  ),
  ORDER_PUBLIC_KEYS: optionalRotated(
    value(
      readKeySet,
      'a JSON Web Key Set of Ed25519 or P-256 public keys, each with its own kid and none with a private part',
      lines,
    ),
  ).describe('JSON Web Key Set of the public keys with which signed orders are verified (EdDSA, ES256).'),
  ORDER_MAX_LIFETIME: integerOr('86400', 60, 366 * 24 * 3600).describe(
    'Largest lifetime of a signed order, in seconds.',
  ),
  MERCHANT_API_KEY: optionalRotated(longHeaderKey).describe(
    'Enables `/api`; at least 24 characters, such as the output of `openssl rand -base64 32`.',
  ),
  MERCHANT_API_KEY_PREVIOUS_SINCE: optionalTime.describe(
    'When the key was replaced, such as `2026-11-30`; required with `MERCHANT_API_KEY_PREVIOUS`, which is ignored 30 days later.',
  ),
  MERCHANT_READ_KEY: optionalRotated(longHeaderKey).describe(
    'Opens `GET /api/payments`, `/api/payments.csv` and `/api/days`, and nothing else: for shop assistants. At least 24 characters, as `MERCHANT_API_KEY`.',
  ),
  MERCHANT_READ_KEY_PREVIOUS_SINCE: optionalTime.describe(
    'When the key was replaced, such as `2026-11-30`; required with `MERCHANT_READ_KEY_PREVIOUS`, which is ignored 30 days later.',
  ),
  TIME_ZONE: optionalText(isTimeZone, TIME_ZONE_RULE).describe(
    'The time zone of your shop, such as `Africa/Nairobi`: in it, a day begins, and times of payments are shown. Required to find by day and to close one.',
  ),
  MERCHANT_WEBHOOK_URL: optionalText(isAddress, ADDRESS_RULE).describe('Where events are sent.'),
  MERCHANT_WEBHOOK_SECRET: optionalRotated(
    secret(
      isWebhookSecret,
      'whsec_ followed by at least 24 random bytes in base64, with its padding. Put whsec_ before your value, or take "whsec_$(openssl rand -base64 24)"',
    ),
  ).describe('Key of the signatures of events, `whsec_` and base64; required with `MERCHANT_WEBHOOK_URL`.'),
  NOTIFY_SMTP_URL: z
    .tuple([value(readSmtpUrl, SMTP_RULE)])
    .optional()
    .meta(FILE)
    .describe(
      'The server that sends you an e-mail for each payment, with your user and password there: `smtps://USER:PASSWORD@HOST` (TLS, port 465) or `smtp://USER:PASSWORD@HOST` (STARTTLS, port 587), percent-encoded.',
    ),
  NOTIFY_TO: list(readMailbox, () => 'which is not an e-mail address')
    // A reader who is named twice is told once.
    .transform((readers) => {
      const keys = readers.map(referenceKey)
      return readers.filter((_, index) => keys.indexOf(keys[index] ?? '') === index)
    })
    .optional()
    .describe('Who gets these e-mails, comma-separated; required with `NOTIFY_SMTP_URL`.'),
  NOTIFY_FROM: value(readMailbox, 'an e-mail address')
    .optional()
    .describe(
      'The sender of these e-mails, if the server wants one of its own. Default: the first of `NOTIFY_TO`.',
    ),
  NOTIFY_URL: z
    .tuple([secret(isAddress, ADDRESS_RULE)])
    .optional()
    .meta(FILE)
    .describe(
      'Where a request is sent for each payment, of a service that sends SMS or chats; its path and query count as secret.',
    ),
  NOTIFY_HEADERS: z
    .tuple([value(readHeaders, HEADERS_RULE, lines)])
    .optional()
    .meta(FILE)
    .describe('Headers of that request as JSON, with your key there: `{"Authorization":"Bearer KEY"}`.'),
  NOTIFY_TYPE: oneOf(...TEMPLATE_TYPES)
    .prefault('json')
    .describe('The type of its body: `json`, `form` or `text`.'),
  NOTIFY_BODY: lines
    .optional()
    .describe(
      `Its body, in which ${NOTICE_VALUES.map((name) => `\`{${name}}\``).join(', ')} are replaced: \`{"to":"+254700000001","message":"{text}"}\`; required with \`NOTIFY_URL\`.`,
    ),
  PRIVATE_HOSTS: listOf(
    (host) => parseAddress(`http://${host}`)?.hostname === host,
    'a host without a port, such as orders.lan',
  ).describe(
    'Hosts of `ORDERS_URL`, `MERCHANT_WEBHOOK_URL`, `NOTIFY_URL`, `NOTIFY_SMTP_URL` and `STORE_URL` that are in a private network, such as `orders.lan`: they may have private addresses, and no TLS, in production.',
  ),
  CHECKOUT_EXPIRES_MINUTES: integerOr('30', 1, 24 * 60).describe(
    'Lifetime of a checkout session, in minutes.',
  ),
  DEFAULT_COUNTRY: value(readCountry, 'the two letters of a country, ISO 3166-1, such as KE')
    .optional()
    .describe('Completes national phone numbers: the two letters of a country, such as `KE`.'),
  GATEWAY_PAGE_HOSTS: listOf(
    (host) => parseAddress(`https://${host}`)?.host === host,
    'one host, such as pay.example, with its port if it is not 443',
  ).describe(
    'Hosts on which a hosted page may be, each by its whole name, comma-separated. Default: the host of `GATEWAY_BASE_URL`.',
  ),
  GATEWAY_FX_BASE_URL: optionalBaseUrl.describe(
    'Base URL of the exchange rates. Default: `GATEWAY_BASE_URL`.',
  ),
  GATEWAY_ACKNOWLEDGE_BASE_URL: optionalBaseUrl.describe(
    'Base URL of the service confirmation. Default: `GATEWAY_BASE_URL`.',
  ),
  GATEWAY_MAX_RPS: integerOr('50', 5, 100_000).describe(
    'The most requests per second from a server process to the gateway. Only status queries wait for it.',
  ),
  GATEWAY_CHARGE_PATH: optionalPath(/^(\/[\w.~-]+)+\/*$/, 'a path such as /v1/charges').describe(
    'Path for sending charges, such as `/v1/charges`; charges are off without it.',
  ),
  GATEWAY_CHARGE_STATUS_PATH: optionalPath(
    /^(\/[\w.~-]+)*\/:(external_reference|charge_request_id)(\/[\w.~-]+)*\/*$/,
    'a path with either :external_reference or :charge_request_id, such as /v1/transaction/:charge_request_id/status',
  ).describe(
    'Path for querying a charge, with `:external_reference` or `:charge_request_id`, such as `/v1/transaction/:charge_request_id/status`. Default: `GATEWAY_CHARGE_PATH` and `/:external_reference/status`.',
  ),
  GATEWAY_CHARGE_METHODS: listOfNamed(readMethod, ({ code }) => code, ruleOfMethod).describe(
    'Operators that ask payers on the phone, comma-separated: `CODE`, `CODE=NAME` or `CODE=NAME:WORDS`. The words are prefixes of phone numbers with the country code, `dial=` and the code that shows pending requests, `least=` and `greatest=` amount, and `away` for an operator that is not available: `MOMO_KEN=MoMo:25470 25471 dial=*334# least=10 greatest=150000`.',
  ),
  GATEWAY_CLIENT_CODE: optionalText(
    (code) => Array.from(code).length <= 32,
    'at most 32 characters',
  ).describe('The `client_code` of every charge, at most 32 characters.'),
  PARTNER_ACCOUNTS_DYNAMIC: listOfNamed(
    readPartner,
    ({ share }) => share.account,
    () => 'which is not ACCOUNT=AMOUNT:REASON or CURRENCY/ACCOUNT=AMOUNT:REASON',
  ).describe(
    'Shares of every charge, comma-separated: `ACCOUNT=AMOUNT:REASON`, such as `PARTNER-FEES=25:Platform fee`; of the charges in one currency: `KES/PARTNER-FEES=25:Platform fee`.',
  ),
  GATEWAY_REHEARSAL: optionalText((flag) => flag === '1', '1').describe(
    '`1`: the gateway of the production environment may be a look-alike on this machine, with the credentials of the sandbox. Logged as a warning at start; `check` is then never ready.',
  ),
  CALLBACK_SECRET: optionalRotated(longSecret).describe(
    'Key of the tokens in callback addresses, at least 24 characters. Default: derived from `GATEWAY_CONSUMER_SECRET`.',
  ),
  CALLBACK_BASIC_AUTH: optionalRotated(secret((pair) => /^[^:]+:/.test(pair), 'user:password')).describe(
    '`user:password` that the gateway sends with callbacks.',
  ),
  STORE_URL: z
    .tuple([secret((url) => readStoreUrl(url) !== null, STORE_URL_RULE)])
    .prefault(['sqlite:gateway-checkout.sqlite'])
    .meta(FILE)
    .describe(
      '`sqlite:PATH`, absolute in production, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full`; in the sandbox also `sqlite::memory:`, which a restart empties.',
    ),
  // At least 31 days, because the gateway is queried about reversals and refunds until 30 days after settlement.
  RETENTION_DAYS: optionalInteger(31, 36_500).describe(
    'Deletes settled transactions this many days after their last change; 31 or more. Default: never.',
  ),
  TRUSTED_PROXIES: z
    .preprocess(
      (text) => (text === 'none' ? NO_ENTRIES : text),
      listOf(isNetwork, 'an IP address or a network such as 10.0.0.0/8'),
    )
    .describe(
      'Addresses and networks of the proxies before this server, comma-separated, such as `10.0.0.0/8`; `none` if there is no proxy. Required in production, unless the server is embedded in another one.',
    ),
  HTTPS_PROXY: secret((url) => parseAddress(url) !== null, 'an absolute http(s) URL of one host')
    .optional()
    .describe(
      'The proxy through which requests to public hosts leave your network, such as `http://proxy.lan:3128`. Loopback addresses and `PRIVATE_HOSTS` are reached without it.',
    ),
  NO_PROXY: line
    .optional()
    .describe('Hosts that are reached without `HTTPS_PROXY`, comma-separated: `shop.example,.shop.example`.'),
  HOST: line.prefault('0.0.0.0').describe('The address that the server listens on.'),
  PORT: integerOr('8080', 0, 65_535)
    .meta(LISTENED)
    .describe('The port that the server listens on; `0` for any free port.'),
  METRICS_PORT: optionalInteger(0, 65_535)
    .meta(LISTENED)
    .describe(
      'Port of Prometheus `/metrics`, on `HOST`; metrics are off without it. Keep it away from the public.',
    ),
  LOG_LEVEL: oneOf('debug', 'info', 'warn', 'error', 'silent')
    .prefault('info')
    .describe('`debug`, `info`, `warn`, `error` or `silent`.'),
})

/** The values of the variables. A variable that is not set and has no default is `undefined`. */
export type Values = z.output<typeof Variables>
export type VariableName = keyof Values

/**
 * The features of the server, each with the variables that only it reads. They are refused where the feature is left
 * out. Prompts and splits of checkouts are charges at the gateway, so they need the feature `charges`.
 */
const VARIABLES_OF = {
  checkouts: [
    'ALLOWED_ORIGINS',
    'RETURN_URLS',
    'CHECKOUT_EXPIRES_MINUTES',
    'GATEWAY_PAGE_HOSTS',
    'ORDERS_URL',
    'ORDERS_TOKEN',
    'ORDER_SIGNING_KEY',
    'ORDER_SIGNING_KEY_PREVIOUS_SINCE',
    'ORDER_PUBLIC_KEYS',
    'ORDER_MAX_LIFETIME',
  ],
  payouts: [],
  charges: [
    'GATEWAY_CHARGE_PATH',
    'GATEWAY_CHARGE_STATUS_PATH',
    'GATEWAY_CHARGE_METHODS',
    'GATEWAY_CLIENT_CODE',
    'PARTNER_ACCOUNTS_DYNAMIC',
  ],
  airtime: [],
  links: [],
  payments: ['MERCHANT_READ_KEY', 'MERCHANT_READ_KEY_PREVIOUS_SINCE', 'TIME_ZONE'],
  notices: [
    'NOTIFY_SMTP_URL',
    'NOTIFY_TO',
    'NOTIFY_FROM',
    'NOTIFY_URL',
    'NOTIFY_HEADERS',
    'NOTIFY_TYPE',
    'NOTIFY_BODY',
  ],
} as const satisfies Record<string, readonly VariableName[]>
export type FeatureName = keyof typeof VARIABLES_OF
export const EVERY_FEATURE = Object.keys(VARIABLES_OF).filter(isKeyOf(VARIABLES_OF))

/** Returns the variables that a server with these features does not read, each with the feature that reads it. */
function variablesOutside(features: readonly FeatureName[]): { name: VariableName; feature: FeatureName }[] {
  const absent = EVERY_FEATURE.filter((feature) => !features.includes(feature))
  return absent.flatMap((feature) => VARIABLES_OF[feature].map((name) => ({ name, feature })))
}

const namesWith = (key: 'file' | 'rotated' | 'port') =>
  new Set(Object.entries(Variables.shape).flatMap(([name, schema]) => (schema.meta()?.[key] ? [name] : [])))
const FILE_NAMES = namesWith('file')
const ROTATED_NAMES = namesWith('rotated')
const PORT_NAMES = namesWith('port')

/** Kubernetes sets NAME_PORT to an address of this form for a Service with this name. */
const SERVICE_LINK = /^(tcp|udp|sctp):\/\//

/** Returns whether this server reads a variable of this name. */
export function isVariable(name: string): boolean {
  const plain = name.replace(/(_PREVIOUS)?(_FILE)?$/, '')
  if (plain === name) {
    return Object.hasOwn(Variables.shape, name)
  }
  return (name.includes('_PREVIOUS') ? ROTATED_NAMES : FILE_NAMES).has(plain)
}

/** Continues the sentence that the name of a missing variable begins. */
export function missingText(name: string): string {
  return FILE_NAMES.has(name)
    ? `is required, or ${name}_FILE with the path of a file that holds it.`
    : 'is required.'
}

const PROXY_NAMES: readonly string[] = ['HTTPS_PROXY', 'NO_PROXY'] satisfies VariableName[]

/** The beginnings of names that are probably meant for this server. */
const OUR_PREFIX = /^(GATEWAY|MERCHANT|ORDERS?|CALLBACK|CHECKOUT|NOTIFY)_/

/** Returns a name without what people mistake in names: case, and the plural of a word. */
const foldedName = (name: string) => name.toUpperCase().replaceAll(/(IES|Y|S)(?=_|$)/g, '')
const FOLDED_NAMES = Object.keys(Variables.shape).map((name) => ({ name, folded: foldedName(name) }))
/** A name of so many letters may have one mistake, one of twice as many two. Short names are too much alike. */
const LETTERS_OF_A_MISTAKE = 8

/** Returns the variable of this server that a name misspells; `undefined` if none is so close. */
function findMeant(name: string): string | undefined {
  const given = foldedName(name.replace(/(_PREVIOUS)?(_FILE)?$/i, ''))
  const meant = FOLDED_NAMES.find(({ folded }) => {
    const most = Math.floor(folded.length / LETTERS_OF_A_MISTAKE)
    return Math.abs(folded.length - given.length) <= most && countMistakes(folded, given) <= most
  })
  return meant?.name
}

/** Returns how many letters are missing, too many, wrong, or in the place of their neighbour. */
function countMistakes(text: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, column) => column)]
  const at = (row: number, column: number) => rows[row]?.[column] ?? Number.POSITIVE_INFINITY
  for (let row = 1; row <= text.length; row++) {
    const counts = [row]
    rows.push(counts)
    for (let column = 1; column <= other.length; column++) {
      const isSame = text[row - 1] === other[column - 1]
      const isSwapped = text[row - 1] === other[column - 2] && text[row - 2] === other[column - 1]
      const ways = [
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (isSame ? 0 : 1),
        ...(isSwapped ? [at(row - 2, column - 2) + 1] : []),
      ]
      counts.push(Math.min(...ways))
    }
  }

  return at(text.length, other.length)
}

/** Returns what is said of a variable that is probably meant for this server, and that nobody reads; `null` if nothing. */
function describeUnread(name: string): string | null {
  if (isVariable(name) || PROXY_NAMES.includes(name.toUpperCase())) {
    return null
  }

  const meant = findMeant(name)
  if (meant === undefined && !OUR_PREFIX.test(name)) {
    return null
  }

  const hint = meant === undefined ? '' : ` Is it ${meant}?`
  return `${name} is set, but is not read: this server has no such variable.${hint}`
}

/** Matches a text in quotes, as an `.env` file may have it, and a process should not. */
const QUOTED = /^(["'])[^"']*\1$/s

/**
 * Reads and validates the variables. The values are `null` if there are problems. `valid` has those without a problem.
 *
 * @param readFile Returns the text of the file at a path; throws if the file cannot be read.
 * @param features The features of the server. The variables of others are refused.
 */
export function readVariables(
  env: Environment,
  readFile: (path: string) => string,
  features: readonly FeatureName[],
) {
  const problems: Problem[] = []
  const warnings: Warning[] = Object.keys(env).flatMap((name) => {
    const text = textOf(name) === undefined ? null : describeUnread(name)
    return text === null ? [] : [{ about: 'variables' as const, text }]
  })
  for (const name of PORT_NAMES) {
    const address = env[name]?.trim() ?? ''
    if (SERVICE_LINK.test(address)) {
      const text = `${name} is ${address}, which Kubernetes sets for a Service, and counts as not set: enableServiceLinks: false in the Pod keeps such variables away.`
      warnings.push({ about: 'variables', text })
    }
  }

  const texts = Object.fromEntries(
    Object.keys(Variables.shape).map((name) => [name, FILE_NAMES.has(name) ? secretsOf(name) : textOf(name)]),
  )
  for (const about of Object.keys(Variables.shape)) {
    if (QUOTED.test(textOf(about) ?? '')) {
      const text = `${about} is in quotes, which count as a part of it: remove them. (docker run --env-file keeps quotes.)`
      problems.push({ about, text })
    }
  }

  for (const { name, feature } of variablesOutside(features)) {
    if (texts[name] !== undefined) {
      const text = `${name} is read by the feature "${feature}", which this server does not have: remove the variable, or add the feature.`
      problems.push({ about: name, text })
    }
  }

  const { data: values = null, error } = Variables.safeParse(texts, {
    error: ({ input, path = [] }) => (input === undefined ? missingText(String(path[0])) : undefined),
  })
  // Variables in quotes or without a reader, and secrets whose files cannot be read: what else is wrong with their text is not the problem.
  const unreadable = new Set(problems.map(({ about }) => about))
  for (const { path, message } of error?.issues ?? []) {
    const about = String(path[0])
    const index = path[1]
    const text = `${about}${index === 1 ? '_PREVIOUS' : ''} ${message}`
    if (!unreadable.has(about)) {
      problems.push({ about, text })
    }
  }

  const isValid = ([name]: [string, unknown]) => problems.every(({ about }) => about !== name)
  const valid = Variables.partial().parse(Object.fromEntries(Object.entries(texts).filter(isValid)))
  return { values, valid, problems, warnings }

  /** Returns the text of a variable; `undefined` if the text is missing or blank. */
  function textOf(name: string): string | undefined {
    // Some systems write the variables of proxies in lower case, and the others in upper case.
    const given = PROXY_NAMES.includes(name) ? (env[name.toLowerCase()] ?? env[name]) : env[name]
    const text = given?.trim() || undefined
    return PORT_NAMES.has(name) && SERVICE_LINK.test(text ?? '') ? undefined : text
  }

  /** Returns the current value of a secret and, if there is one, the previous value; `undefined` if there is none. */
  function secretsOf(name: string): string[] | undefined {
    const current = secretOf(name, name)
    const previous = ROTATED_NAMES.has(name) ? secretOf(name, `${name}_PREVIOUS`) : undefined
    if (current !== undefined) {
      return previous === undefined ? [current] : [current, previous]
    }
    if (previous !== undefined) {
      problems.push({ about: name, text: `${name}_PREVIOUS is set without ${name}.` })
    }
    return undefined
  }

  /** Returns the text of a variable, or of the file that its variable `_FILE` names. */
  function secretOf(about: string, name: string): string | undefined {
    const path = textOf(`${name}_FILE`)
    if (path === undefined) {
      return textOf(name)
    }

    // A text that does not begin as a path does may be the secret itself, given to the wrong variable.
    const naming = /^([a-z]:)?[/\\.]/i.test(path)
      ? `${name}_FILE names the file ${path}`
      : `${name}_FILE names a file`
    try {
      const secret = readFile(path).trim()
      const problem = problemOfFile(path)
      const warning = warningOf(path)
      if (problem !== null) {
        problems.push({ about, text: `${naming}, which ${problem}.` })
        return undefined
      }
      if (warning !== null) {
        warnings.push({ about: 'files', text: `${naming}, which ${warning}` })
      }
      if (secret !== '') {
        return secret
      }

      problems.push({ about, text: `${naming}, which is empty.` })
    } catch (error) {
      problems.push({ about, text: `${naming}, which cannot be read${whyUnreadable(error)}` })
    }

    return undefined
  }
}
