/** The configuration of the server, and how it is made from the environment variables. */

import { createHmac } from 'node:crypto'

import { ConfigError } from './config-error.ts'
import { endingOf } from './ending-secrets.ts'
import { EVERY_FEATURE } from './feature-variables.ts'
import { ordersOf } from './order-source.ts'
import { readVariables } from './read-variables.ts'
import { gatewayUrls, isLookAlike, problemsBetween, warningsBetween, warningsOfEnvFile } from './rules.ts'
import { Secret } from './secret.ts'
import { readTextFile } from './text-file.ts'

import type { Country } from '../contract/country.ts'
import type { Merchant } from './appearance.ts'
import type { ChargeTerms } from './charges.ts'
import type { EndingSecrets } from './ending-secrets.ts'
import type { FeatureName } from './feature-variables.ts'
import type { GatewaySettings } from './gateway.ts'
import type { NoticeSettings } from './notices.ts'
import type { OrderSource } from './order-source.ts'
import type { ProxySettings } from './proxy.ts'
import type { Warning } from './read-variables.ts'
import type { Secrets } from './secret.ts'
import type { Values, Environment } from './variables.ts'

interface WebhookSettings {
  readonly url: string
  readonly secrets: Secrets
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
  // A variable that is invalid by itself is not blamed twice.
  const invalid = new Set(problems.map(({ about }) => about))
  const others = problemsBetween(valid, { texts, processEnv, listens })
  const all = [...problems, ...others.filter(({ about }) => !invalid.has(about))]
  const warnings = [...doubts, ...warningsBetween(valid), ...warningsOfEnvFile(folder)]
  if (values === null || all.length > 0) {
    throw new ConfigError([...all, ...warnings].map(({ text }) => text))
  }
  return deepFreeze(configOf(values, warnings))
}

function configOf(values: Values, warnings: readonly Warning[]): Config {
  const { GATEWAY_ENVIRONMENT, PUBLIC_URL, ALLOWED_ORIGINS = [] } = values
  const isRehearsal = values.GATEWAY_REHEARSAL !== undefined
  const lookAlikes = gatewayUrls(values).filter(({ url }) => isLookAlike(values, url))
  const privateHosts = [...(values.PRIVATE_HOSTS ?? []), ...lookAlikes.map(({ url }) => url.hostname)]
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
    webhook: webhookOf(values),
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

function webhookOf({ MERCHANT_WEBHOOK_URL, MERCHANT_WEBHOOK_SECRET }: Values): WebhookSettings | null {
  return MERCHANT_WEBHOOK_URL && MERCHANT_WEBHOOK_SECRET
    ? { url: MERCHANT_WEBHOOK_URL, secrets: MERCHANT_WEBHOOK_SECRET }
    : null
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

function noticesOf(values: Values): NoticeSettings | null {
  const email = emailOf(values)
  const http = noticeServiceOf(values)
  return email === null && http === null ? null : { email, http }
}

function emailOf({ NOTIFY_SMTP_URL: smtp, NOTIFY_TO: to, NOTIFY_FROM }: Values): NoticeSettings['email'] {
  const [first] = to ?? []
  if (!smtp || !to || first === undefined) {
    return null
  }
  return { smtp: smtp[0], from: NOTIFY_FROM ?? first, to }
}

function noticeServiceOf(values: Values): NoticeSettings['http'] {
  const { NOTIFY_URL: address, NOTIFY_BODY: template } = values
  if (!address || template === undefined) {
    return null
  }

  const url = new URL(address[0].reveal())
  return {
    origin: url.origin,
    path: new Secret(url.pathname + url.search),
    headers: values.NOTIFY_HEADERS?.[0] ?? [],
    type: values.NOTIFY_TYPE,
    template,
  }
}

/** The time in which all programs of a merchant get a new key, in milliseconds. [assumed] */
const API_KEY_ENDS_AFTER_MS = 30 * 24 * 3_600_000

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

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) {
    if (typeof part === 'object' && part !== null) {
      deepFreeze(part)
    }
  }

  return Object.freeze(value)
}
