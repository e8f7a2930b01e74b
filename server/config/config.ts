/** Reads the configuration from environment variables, validates all variables, and freezes the result. */

import type { ChargeTerms, GatewaySettings } from './gateway.ts'
import type { Environment, Warning } from './variables.ts'
import type { OrderSource, WebhookSettings } from './merchant.ts'
import type { Secrets } from './secret.ts'
import type { PrivateHosts } from './targets.ts'
import type { Country } from '../contract/countries.ts'
import { ADDRESS, isAddress, isNetwork, Variables } from './variables.ts'
import { readCharges, readGateway, refuseSandboxCredentials } from './gateway.ts'
import { readCallbackSecrets, readOrders, readWebhook } from './merchant.ts'
import { isLongEnough, LONG_ENOUGH, Secret } from './secret.ts'
import { isPrivateHost, mayBePrivate, readPrivateHosts } from './targets.ts'
import { isCountry } from '../contract/countries.ts'
import { isHttpUrl, parseUrl } from '../contract/parse-url.ts'
import { readTextFile } from './text-file.ts'

export type { AccountNumbers, ChargeTerms, ServiceCodes } from './gateway.ts'
export type { Environment } from './variables.ts'
export type { Secrets } from './secret.ts'

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** The configuration for `createApp`. `config/variables.ts` describes the environment variables. */
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
  readonly privateHosts: PrivateHosts
  /** The settings for charges; `null` if charges are off (GATEWAY_CHARGE_PATH is not set). */
  readonly charges: ChargeTerms | null
  /** The public URL of this server, without a trailing slash. */
  readonly publicUrl: string
  /** The origins of the pages that may start checkouts. */
  readonly allowedOrigins: readonly string[]
  /** The URLs to which a shopper may return after payment. Each URL also allows all paths below this URL. Default: `allowedOrigins`, and the origin of `publicUrl`. */
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
  readonly apiKeys: Secrets | null
  /** Where events are sent; `null` if MERCHANT_WEBHOOK_URL is not set. */
  readonly webhook: WebhookSettings | null
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
  readonly logLevel: (typeof LOG_LEVELS)[number]
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
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/**
 * Reads the configuration from environment variables.
 *
 * @param env The variables by name, such as `process.env`.
 * @param readFile Returns the text of the file at `path`, for variables whose names end in `_FILE`. Default: reads the
 * file from disk.
 * @returns The configuration, deeply frozen.
 * @throws {ConfigError} listing every variable that is missing or invalid.
 * @example
 * const config = readConfig(process.env)
 */
export function readConfig(env: Environment, readFile = readTextFile): Config {
  const variables = new Variables(env, readFile)
  const environment = variables.choice('GATEWAY_ENVIRONMENT', ['sandbox', 'production']) ?? 'sandbox'
  const isRehearsal = variables.optional('GATEWAY_REHEARSAL', (value) => value === '1', '1') !== undefined
  const isProduction = environment === 'production' && !isRehearsal
  const consumerSecrets = variables.secrets('GATEWAY_CONSUMER_SECRET')
  const gateway = readGateway(variables, consumerSecrets)
  const publicUrl = variables.base('PUBLIC_URL') ?? ''
  const isInsecure = publicUrl !== '' && new URL(publicUrl).protocol !== 'https:'
  if (gateway.baseUrl && isInsecure && !isLoopback(gateway.baseUrl)) {
    const problem = 'PUBLIC_URL must be https: the gateway calls back to https only [spec: Events, 4].'
    variables.problems.push(problem)
  }
  const own = publicUrl === '' ? [] : [new URL(publicUrl).origin]
  const allowedOrigins =
    variables.list('ALLOWED_ORIGINS', isOrigin, 'an origin such as https://shop.example') ?? []

  const privateHosts = readPrivateHosts(variables, environment, isRehearsal)
  const config: Config = {
    environment,
    isRehearsal,
    gateway,
    privateHosts,
    charges: readCharges(variables),
    publicUrl,
    allowedOrigins,
    returnUrls: variables.list('RETURN_URLS', isReturnUrl, `${ADDRESS}, or an app's origin`) ?? [
      ...new Set([...allowedOrigins, ...own]),
    ],
    expiresInMinutes: variables.integer('CHECKOUT_EXPIRES_MINUTES', 1, 24 * 60) ?? 30,
    country: readCountry(variables),
    storeUrl: readStoreUrl(variables, isProduction ? privateHosts : null),
    // At least 31 days, because the gateway is queried about reversals and refunds until 30 days after settlement.
    retentionDays: variables.integer('RETENTION_DAYS', 31, 36_500) ?? null,
    orders: readOrders(variables, isProduction),
    apiKeys: variables.optionalSecrets('MERCHANT_API_KEY', isLongEnough, LONG_ENOUGH) ?? null,
    webhook: readWebhook(variables),
    callbackSecrets: readCallbackSecrets(variables, consumerSecrets),
    sealingSecrets: consumerSecrets ?? [new Secret('')],
    callbackBasicAuth: readBasicAuth(variables, isProduction),
    trustedProxies: readTrustedProxies(variables),
    logLevel: variables.choice('LOG_LEVEL', LOG_LEVELS, 'info') ?? 'info',
    host: variables.optional('HOST') ?? '0.0.0.0',
    port: variables.integer('PORT', 0, 65_535) ?? 8080,
    metricsPort: variables.integer('METRICS_PORT', 0, 65_535) ?? null,
    warnings: [...variables.unknown(), ...variables.sharedFiles],
  }
  if (config.metricsPort !== null && config.metricsPort !== 0 && config.metricsPort === config.port)
    variables.problems.push('METRICS_PORT must differ from PORT: metrics are not for the public.')
  // A rehearsal holds the credentials of production, too.
  if (environment === 'production' && env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    variables.problems.push(
      'NODE_TLS_REJECT_UNAUTHORIZED is 0, which sends the credentials to anybody: remove it, and name your own authority in NODE_EXTRA_CA_CERTS.',
    )
  if (isProduction) refuseSandboxCredentials(variables, gateway)
  if (variables.problems.length > 0)
    throw new ConfigError([...variables.problems, ...config.warnings.map(({ text }) => text)])
  return deepFreeze(config)
}

function readTrustedProxies(variables: Variables): string[] | null {
  if (variables.optional('TRUSTED_PROXIES') === 'none') return []
  return variables.list('TRUSTED_PROXIES', isNetwork, 'an IP address or a network such as 10.0.0.0/8') ?? null
}

function readCountry(variables: Variables): Country | null {
  const rule = 'the two-letter code of a supported country, such as KE'
  const isKnown = (value: string) => isCountry(value.toUpperCase())
  const code = variables.optional('DEFAULT_COUNTRY', isKnown, rule)?.toUpperCase() ?? ''
  return isCountry(code) ? code : null
}

/**
 * Returns the URL of the store. The URL of a Postgres database contains a password, so the URL is read like a secret:
 * from the variable STORE_URL, or from the file whose path is in STORE_URL_FILE.
 */
function readStoreUrl(variables: Variables, privateHosts: PrivateHosts | null): Secret {
  const rule =
    'sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE, special characters percent-encoded'
  const isStoreUrl = (text: string) =>
    /^sqlite:./.test(text) || (/^postgres(ql)?:/.test(text) && parseUrl(text) !== null)
  const [url] = variables.optionalSecrets('STORE_URL', isStoreUrl, rule) ?? []
  if (privateHosts === null || url === undefined) return url ?? new Secret(DEFAULT_STORE)
  if (url.reveal() === 'sqlite::memory:')
    variables.problems.push(
      'STORE_URL is in memory, where a restart loses every payment: production needs sqlite:PATH or postgres://….',
    )
  const host = hostWithoutTls(url.reveal())
  if (host !== null && !mayBePrivate(privateHosts, host))
    variables.problems.push(
      `STORE_URL must use TLS in production: add ?sslmode=verify-full, or, if ${host} is in a private network, name it in PRIVATE_HOSTS.`,
    )
  return url
}

const DEFAULT_STORE = 'sqlite:gateway-checkout.sqlite'

/** Returns the public host of a Postgres database whose certificate the driver does not verify; `null` for any other. */
function hostWithoutTls(storeUrl: string): string | null {
  const { protocol, hostname, searchParams } = new URL(storeUrl)
  const host = searchParams.get('host') ?? hostname
  const mode = searchParams.get('sslmode') ?? searchParams.get('ssl') ?? ''
  const isLocal = protocol === 'sqlite:' || /^$|^(\/|%2f)/i.test(host) || isPrivateHost(host)
  return isLocal || /^(require|verify-ca|verify-full|true|1)$/.test(mode) ? null : host
}

function readBasicAuth(variables: Variables, isProduction: boolean): Secrets | null {
  const isPair = (pair: string) => /^[^:]+:/.test(pair)
  const isLongPair = (pair: string) => isPair(pair) && isLongEnough(pair.slice(pair.indexOf(':') + 1))
  const [fits, rule] = isProduction
    ? [isLongPair, `user:password with a password that is ${LONG_ENOUGH}`]
    : [isPair, 'user:password']
  return variables.optionalSecrets('CALLBACK_BASIC_AUTH', fits, rule) ?? null
}

function isOrigin(text: string): boolean {
  if (isHttpUrl(text)) return new URL(text).origin === text
  // The origin of a page inside an app, such as capacitor://localhost. A scheme of browsers is none.
  return /^(?!https?:|wss?:|ftp:|file:|data:|blob:|about:|javascript:)[a-z][a-z0-9+.-]*:\/\/[a-z0-9.-]+$/.test(
    text,
  )
}

function isReturnUrl(text: string): boolean {
  return isAddress(text) || isOrigin(text)
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
