/** The configuration of the server, and how it is made from the environment variables. */

import { createHmac } from 'node:crypto'

import { parseUrl } from '../contract/parse.ts'
import { EVERY_FEATURE } from './feature-variables.ts'
import { readVariables } from './read-variables.ts'
import { gatewayUrls, isLookAlike, problemsBetween, warningsBetween, warningsOfEnvFile } from './rules.ts'
import { acceptedAt, liesAhead, Secret } from './secret.ts'
import { readTextFile } from './text-file.ts'

import type { Country } from '../contract/country.ts'
import type { Merchant } from './appearance.ts'
import type { FeatureName } from './feature-variables.ts'
import type { GatewaySettings, ChargeTerms } from './gateway.ts'
import type { NoticeSettings } from './notices.ts'
import type { PublicKey } from './public-keys.ts'
import type { Warning } from './read-variables.ts'
import type { EndingSecrets, Secrets } from './secret.ts'
import type { Values, Environment } from './variables.ts'

/**
 * The source of orders. `url`: the server requests each order from the merchant's backend at ORDERS_URL. `signed`: the
 * page contains the order, which the merchant's backend has signed, and the server verifies the signature with
 * ORDER_SIGNING_KEY or ORDER_PUBLIC_KEYS. `null`: the merchant passes the function `orders` to `createApp`.
 */
type OrderSource =
  | { kind: 'url'; url: string; token: Secret }
  | {
      kind: 'signed'
      keys: EndingSecrets | null
      publicKeys: readonly PublicKey[]
      /** The maximum lifetime of a signed order, in seconds. */
      maxLifetime: number
    }
  | null

interface WebhookSettings {
  readonly url: string
  readonly secrets: Secrets
}

interface ProxySettings {
  /** May contain a user and a password. */
  readonly url: Secret
  /** The hosts that are reached without the proxy (NO_PROXY). */
  readonly except: string
}

/** The configuration for `createApp`. `variables.ts` describes the environment variables. */
export interface Config {
  /** The gateway's environment (GATEWAY_ENVIRONMENT). */
  readonly environment: 'sandbox' | 'production'
  /** Whether a server in the production environment may use a simulation of the gateway (GATEWAY_REHEARSAL). */
  readonly isRehearsal: boolean
  /** The gateway's URLs, credentials, service codes and accounts. */
  readonly gateway: GatewaySettings
  /**
   * The hosts to which this server may send requests although they have private IP addresses. In the sandbox
   * environment, the value is `any`, which allows every host.
   */
  readonly privateHosts: 'any' | readonly string[]
  /** The proxy for requests to public hosts; `null` if HTTPS_PROXY is not set. */
  readonly proxy: ProxySettings | null
  /** The settings for charges; `null` if charges are off (GATEWAY_CHARGE_PATH is not set). */
  readonly charges: ChargeTerms | null
  /** The public URL of this server, without a trailing slash. */
  readonly publicUrl: string
  /** The merchant, as shoppers see it on the pages of this server. */
  readonly merchant: Merchant
  /** The origins of the pages that may start checkouts. */
  readonly allowedOrigins: readonly string[]
  /**
   * The URLs to which a shopper may return after payment. Each URL also allows all paths below this URL. Default:
   * `allowedOrigins`, and the origin of `publicUrl`. The pages of orders on this server are always among them.
   */
  readonly returnUrls: readonly string[]
  /** The lifetime of a checkout session, in minutes. */
  readonly expiresInMinutes: number
  /** The country whose calling code is added to national phone numbers; `null` if DEFAULT_COUNTRY is not set. */
  readonly country: Country | null
  /** The URL of the store. For Postgres, the URL contains a password. */
  readonly storeUrl: Secret
  /**
   * Number of days from the last change of a settled transaction until its deletion; `null` if transactions are never
   * deleted.
   */
  readonly retentionDays: number | null
  /** Where orders come from; `null` for the function that is passed to `createApp`. */
  readonly orders: OrderSource
  /** The accepted keys of the merchant API (`/api`); `null` if the API is off (MERCHANT_API_KEY is not set). */
  readonly apiKeys: EndingSecrets | null
  /** The keys that open find and the day, and nothing else; `null` if MERCHANT_READ_KEY is not set. */
  readonly readKeys: EndingSecrets | null
  /** The IANA name of the merchant's time zone; `null` if TIME_ZONE is not set. */
  readonly timeZone: string | null
  /** Where events are sent; `null` if MERCHANT_WEBHOOK_URL is not set. */
  readonly webhook: WebhookSettings | null
  /** Who is told of payments in words; `null` if neither NOTIFY_SMTP_URL nor NOTIFY_URL is set. */
  readonly notices: NoticeSettings | null
  /**
   * The HMAC keys for the secret part of callback URLs. New URLs use the first key; URLs created with any of the keys
   * are accepted.
   */
  readonly callbackSecrets: Secrets
  /**
   * The current and the previous consumer secret (GATEWAY_CONSUMER_SECRET). The encryption keys for stored payer
   * details and the keys of fingerprints are derived from these secrets.
   */
  readonly sealingSecrets: Secrets
  /**
   * The accepted `user:password` pairs (CALLBACK_BASIC_AUTH). Each callback must carry one of these pairs as HTTP Basic
   * credentials. `null` if callbacks need no credentials.
   */
  readonly callbackBasicAuth: Secrets | null
  /**
   * The networks of the proxies whose header X-Forwarded-For or Forwarded is trusted to contain the client's address.
   * Empty if there is no proxy; `null` if TRUSTED_PROXIES is not set.
   */
  readonly trustedProxies: readonly string[] | null
  /** The least urgent level that is logged. */
  readonly logLevel: Values['LOG_LEVEL']
  /** The address that the server listens on. */
  readonly host: string
  /** The port that the server listens on; 0 for any free port. */
  readonly port: number
  /** The port on which `/metrics` is served; `null` if metrics are off. */
  readonly metricsPort: number | null
  /** What is probably wrong, and prevents no start. Logged at the start. */
  readonly warnings: readonly Warning[]
}

/**
 * Thrown by {@link readConfig} if the configuration is invalid. `problems` contains one message for each invalid or
 * missing variable.
 */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'config_invalid'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const different = [...new Set(problems)]
    super(`The configuration cannot be used:\n${different.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = different
  }
}

/** Where the variables come from, and what they are for. */
export interface Surroundings {
  /** Returns the text of a file, for variables whose names end in `_FILE`. Default: reads the file from disk. */
  readFile?: (path: string) => string
  /** The environment of the process, which Node reads whatever `env` is. Default: `process.env`. */
  processEnv?: Environment
  /** Whether the server will listen itself, as `start` and `serve` do. Default: `false`. */
  listens?: boolean
  /** The folder whose file `.env` has completed the variables. Default: no file has. */
  folder?: string | undefined
  /** The features of the server. The variables of others are refused. Default: every feature. */
  features?: readonly FeatureName[]
}

/**
 * Reads the configuration from environment variables.
 *
 * @param env The variables by name, such as `process.env`.
 * @param surroundings Where the variables come from, and what they are for.
 * @returns The configuration, deeply frozen.
 * @throws {ConfigError} listing every variable that is missing or invalid.
 * @example
 * const config = readConfig(process.env)
 */
export function readConfig(env: Environment, surroundings: Surroundings = {}): Config {
  const { readFile = readTextFile, processEnv = process.env, listens = false, folder } = surroundings
  const { features = EVERY_FEATURE } = surroundings
  const { values, valid, texts, problems, warnings: doubts } = readVariables(env, readFile, features)
  const invalid = new Set(problems.map(({ about }) => about))
  // A variable that is invalid by itself is not blamed twice.
  const others = problemsBetween(valid, { texts, processEnv, listens }).filter(
    ({ about }) => !invalid.has(about),
  )
  const all = [...problems, ...others]
  const warnings = [...doubts, ...warningsBetween(valid), ...warningsOfEnvFile(folder)]
  if (values === null || all.length > 0) {
    throw new ConfigError([...all, ...warnings].map(({ text }) => text))
  }
  return deepFreeze(configOf(values, warnings))
}

function configOf(values: Values, warnings: readonly Warning[]): Config {
  const { GATEWAY_ENVIRONMENT, PUBLIC_URL, ALLOWED_ORIGINS = [], MERCHANT_WEBHOOK_URL } = values
  const isRehearsal = values.GATEWAY_REHEARSAL !== undefined
  const lookAlikes = gatewayUrls(values).filter(([, url]) => isLookAlike(values, url))
  const privateHosts = [...(values.PRIVATE_HOSTS ?? []), ...lookAlikes.map(([, { hostname }]) => hostname)]
  return {
    environment: GATEWAY_ENVIRONMENT,
    isRehearsal,
    gateway: gatewayOf(values),
    privateHosts: GATEWAY_ENVIRONMENT === 'sandbox' ? 'any' : privateHosts,
    proxy: values.HTTPS_PROXY ? { url: values.HTTPS_PROXY, except: values.NO_PROXY ?? '' } : null,
    charges: chargesOf(values),
    publicUrl: PUBLIC_URL,
    merchant: {
      name: values.MERCHANT_NAME ?? '',
      methods: values.MERCHANT_METHODS ?? '',
      help: values.MERCHANT_HELP ?? '',
      logo: values.MERCHANT_LOGO ?? null,
      accent: values.MERCHANT_ACCENT ?? null,
    },
    allowedOrigins: ALLOWED_ORIGINS,
    returnUrls: values.RETURN_URLS
      ? [...values.RETURN_URLS, `${PUBLIC_URL}/pay`]
      : [...new Set([...ALLOWED_ORIGINS, new URL(PUBLIC_URL).origin])],
    expiresInMinutes: values.CHECKOUT_EXPIRES_MINUTES,
    country: values.DEFAULT_COUNTRY ?? null,
    storeUrl: values.STORE_URL[0],
    retentionDays: values.RETENTION_DAYS ?? null,
    orders: ordersOf(values),
    apiKeys: endingOf(values.MERCHANT_API_KEY, values.MERCHANT_API_KEY_PREVIOUS_SINCE, API_KEY_ENDS_AFTER_MS),
    readKeys: endingOf(
      values.MERCHANT_READ_KEY,
      values.MERCHANT_READ_KEY_PREVIOUS_SINCE,
      API_KEY_ENDS_AFTER_MS,
    ),
    timeZone: values.TIME_ZONE ?? null,
    webhook:
      MERCHANT_WEBHOOK_URL && values.MERCHANT_WEBHOOK_SECRET
        ? { url: MERCHANT_WEBHOOK_URL, secrets: values.MERCHANT_WEBHOOK_SECRET }
        : null,
    notices: noticesOf(values),
    callbackSecrets: values.CALLBACK_SECRET ?? derivedFrom(values.GATEWAY_CONSUMER_SECRET),
    sealingSecrets: values.GATEWAY_CONSUMER_SECRET,
    callbackBasicAuth: values.CALLBACK_BASIC_AUTH ?? null,
    trustedProxies: values.TRUSTED_PROXIES ?? null,
    logLevel: values.LOG_LEVEL,
    host: values.HOST,
    port: values.PORT,
    metricsPort: values.METRICS_PORT ?? null,
    warnings,
  }
}

function gatewayOf(values: Values): GatewaySettings {
  const baseUrl = values.GATEWAY_BASE_URL
  return {
    baseUrl,
    pageHosts: values.GATEWAY_PAGE_HOSTS ?? [new URL(baseUrl).host],
    consumerKey: values.GATEWAY_CONSUMER_KEY[0].reveal(),
    consumerSecret: values.GATEWAY_CONSUMER_SECRET[0],
    serviceCodes: values.GATEWAY_SERVICE_CODE,
    accountNumbers: values.GATEWAY_ACCOUNT_NUMBER,
    fxBaseUrl: values.GATEWAY_FX_BASE_URL ?? baseUrl,
    acknowledgeBaseUrl: values.GATEWAY_ACKNOWLEDGE_BASE_URL ?? baseUrl,
    maxRps: values.GATEWAY_MAX_RPS,
  }
}

function chargesOf(values: Values): ChargeTerms | null {
  const path = values.GATEWAY_CHARGE_PATH
  if (path === undefined) {
    return null
  }

  return {
    path,
    // [assumed] The spec does not show this path.
    statusPath: values.GATEWAY_CHARGE_STATUS_PATH ?? `${path}/:external_reference/status`,
    clientCode: values.GATEWAY_CLIENT_CODE ?? null,
    methods: values.GATEWAY_CHARGE_METHODS ?? [],
    // [assumed] The spec requires these shares, and does not say their amounts: the merchant configures them.
    partners: values.PARTNER_ACCOUNTS_DYNAMIC ?? [],
  }
}

function ordersOf(values: Values): OrderSource {
  const { ORDERS_URL: url, ORDER_SIGNING_KEY: keys, ORDER_PUBLIC_KEYS: keySets } = values
  if (url !== undefined && values.ORDERS_TOKEN) {
    return { kind: 'url', url, token: values.ORDERS_TOKEN[0] }
  }
  if (!keys && !keySets) {
    return null
  }

  // Of keys with the same `kid` the last is used: that of the current set, which comes first in `keySets`.
  const publicKeys = keySets?.toReversed().flat() ?? []
  const maxLifetime = values.ORDER_MAX_LIFETIME
  // What the previous key has signed before it was replaced has expired by then.
  const endingKeys = endingOf(keys, values.ORDER_SIGNING_KEY_PREVIOUS_SINCE, maxLifetime * 1000)
  return { kind: 'signed', keys: endingKeys, publicKeys, maxLifetime }
}

function noticesOf(values: Values): NoticeSettings | null {
  const { NOTIFY_SMTP_URL: smtp, NOTIFY_TO: to, NOTIFY_URL: address, NOTIFY_BODY: template } = values
  const email =
    smtp && to?.[0] !== undefined ? { smtp: smtp[0], from: values.NOTIFY_FROM ?? to[0], to } : null
  const url = address && new URL(address[0].reveal())
  const http =
    url && template !== undefined
      ? {
          origin: url.origin,
          path: new Secret(url.pathname + url.search),
          headers: values.NOTIFY_HEADERS?.[0] ?? [],
          type: values.NOTIFY_TYPE,
          template,
        }
      : null
  return (email ?? http) ? { email, http } : null
}

/** The time in which all programs of a merchant get a new key, in milliseconds. [assumed] */
const API_KEY_ENDS_AFTER_MS = 30 * 24 * 3_600_000

/**
 * The previous values of the other secrets never end: they open what was made with them, however old it is, and name no
 * price and move no money.
 */
function endingOf(
  secrets: Secrets | undefined,
  previousSince: number | undefined,
  previousForMs: number,
): EndingSecrets | null {
  return secrets ? { secrets, previousSince: previousSince ?? null, previousForMs } : null
}

/** The secrets whose previous value ends, by their variables. */
function endingIn({ apiKeys, readKeys, orders }: Config): [name: string, keys: EndingSecrets][] {
  const ending = {
    ORDER_SIGNING_KEY: orders?.kind === 'signed' ? orders.keys : null,
    MERCHANT_API_KEY: apiKeys,
    MERCHANT_READ_KEY: readKeys,
  }
  return Object.entries(ending).flatMap(([name, keys]): [string, EndingSecrets][] =>
    keys === null ? [] : [[name, keys]],
  )
}

/**
 * Returns what prevents a start at a time: the day on which a secret was replaced lies ahead, and is mistyped. Its
 * previous value would be accepted until long after that day.
 */
export function problemsAt(config: Config, now: number): string[] {
  return endingIn(config).flatMap(([name, keys]) =>
    liesAhead(keys, now)
      ? `${name}_PREVIOUS_SINCE lies ahead: it is the day on which the value was replaced.`
      : [],
  )
}

/** Returns what is probably wrong at a time: also the previous values of secrets that are ignored by then. */
export function warningsAt(config: Config, now: number): Warning[] {
  const ignored = endingIn(config).flatMap(([name, keys]): Warning[] => {
    if (acceptedAt(keys, now).length === keys.secrets.length) {
      return []
    }

    const days = keys.previousForMs / (24 * 3_600_000)
    const text = `${name}_PREVIOUS is ignored: its time, ${days} days from ${name}_PREVIOUS_SINCE, is over. Remove both.`
    return [{ about: 'variables', text }]
  })
  return [...config.warnings, ...ignored]
}

/**
 * [assumed] If CALLBACK_SECRET is not set, the keys are derived from GATEWAY_CONSUMER_SECRET. A new consumer secret
 * then changes the callback URLs. The earlier URLs remain valid while GATEWAY_CONSUMER_SECRET_PREVIOUS is set. If a
 * callback to an earlier URL is refused, a status query retrieves the transaction's status instead.
 */
function derivedFrom([current, ...previous]: Secrets): Secrets {
  const derive = (secret: Secret) =>
    new Secret(createHmac('sha256', secret.reveal()).update('callback addresses').digest('base64url'))
  return [derive(current), ...previous.map(derive)]
}

/**
 * Describes what becomes of money whose service nobody confirms, for logs and commands: nothing receives the events whose
 * acceptance confirms it. `null` if charges are off, which alone are confirmed.
 */
export function describeHeld({ charges }: Pick<Config, 'charges'>): string | null {
  return charges === null
    ? null
    : 'Nothing accepts events, so the gateway holds the money of every charge, prompt and order with splits until POST /api/charges/{reference}/acknowledge.'
}

/** Describes the proxy for logs and commands, without its password. */
export function describeProxy({ url, except }: ProxySettings): string {
  const exceptions = [
    'loopback addresses',
    'PRIVATE_HOSTS',
    ...(except === '' ? [] : [`NO_PROXY (${except})`]),
  ]
  return `Requests to public hosts go through the proxy ${new URL(url.reveal()).host} (HTTPS_PROXY), but for ${exceptions.join(', ')}.`
}

/** Returns the texts that nobody may see: every secret of the configuration, and of addresses the password. */
export function secretsOf(config: Config): string[] {
  const { gateway, storeUrl, proxy, ...others } = config
  const passwords = [storeUrl, ...(proxy ? [proxy.url] : [])].map(
    (url) => parseUrl(url.reveal())?.password ?? '',
  )
  return [gateway.consumerKey, ...secretsIn({ gateway, others }), ...passwords]
}

function secretsIn(value: object): string[] {
  if (value instanceof Secret) {
    return [value.reveal()]
  }

  return Object.values(value).flatMap((part) =>
    typeof part === 'object' && part !== null ? secretsIn(part) : [],
  )
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) {
      deepFreeze(part)
    }
  }

  return Object.freeze(value)
}
