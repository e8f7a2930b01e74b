/**
 * The environment variables of the server, in one table: each has its rule, its default, and its description for the
 * table in the README.
 */

import { z } from 'zod'

import { accountKey, referenceKey } from '../contract/comparison-keys.ts'
import { readCountry } from '../contract/country.ts'
import { ADDRESS_RULE, isAddress, isOrigin, parseAddress } from './address.ts'
import { isDark, isHelp } from './appearance.ts'
import { readMethod, readPartner, ruleOfMethod } from './charges.ts'
import { NOTICE_VALUES, TEMPLATE_TYPES } from './notice-template.ts'
import { HEADERS_RULE, readHeaders, readMailbox, readSmtpUrl, SMTP_RULE } from './notices.ts'
import { readKeySet } from './public-keys.ts'
import { isWebhookSecret } from './secret.ts'
import { readStoreUrl, STORE_URL_RULE } from './store-url.ts'
import { isTimeZone, TIME_ZONE_RULE } from './time-zone.ts'
import { isNetwork } from './trusted-proxies.ts'
import {
  value,
  optionalText,
  oneOf,
  optionalInteger,
  integerOr,
  NO_ENTRIES,
  list,
  listOf,
  listOfNamed,
  byCurrency,
  rotated,
  FILE,
  ROTATED,
  LISTENED,
  optionalRotated,
  anySecret,
  secret,
  longSecret,
  headerKey,
  longHeaderKey,
  line,
  lines,
  baseUrl,
  optionalBaseUrl,
  optionalTime,
  isPlain,
  optionalPath,
} from './variable-rules.ts'

/** The environment variables by name, for example `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

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
    'Origins of the pages with the tag, comma-separated, such as `https://shop.example`. A proxy that translates your pages has an origin of its own, such as `https://shop-example.translate.goog`: name it, too, if they are to be paid there.',
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
      `Its body, in which ${NOTICE_VALUES.map((name) => `\`{${name}}\``).join(', ')} are replaced, each in a field to itself: \`{"to":"+254700000001","message":"{text}"}\`; required with \`NOTIFY_URL\`.`,
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
    accountKey,
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

export const VARIABLE_NAMES: readonly string[] = Object.keys(Variables.shape)

const namesWith = (key: 'file' | 'rotated' | 'port') =>
  new Set(Object.entries(Variables.shape).flatMap(([name, schema]) => (schema.meta()?.[key] ? [name] : [])))
export const FILE_NAMES = namesWith('file')
export const ROTATED_NAMES = namesWith('rotated')
export const PORT_NAMES = namesWith('port')

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

export const PROXY_NAMES: readonly string[] = ['HTTPS_PROXY', 'NO_PROXY'] satisfies VariableName[]
