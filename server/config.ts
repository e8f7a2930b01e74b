/**
 * The environment, read once and frozen. Every problem is reported at once, each in a sentence that names the
 * variable and the rule, and never a secret's value.
 */

import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Country } from './countries.ts'
import { SplitSettlement } from './contract/charge.ts'
import { isCountry } from './countries.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A secret, and the older values of it that are still accepted while it is being rotated. */
export type Secrets = readonly [string, ...string[]]

/** One service code for all, or one for each currency: the checkout request names no currency of its own. */
export type ServiceCodes = { any: string } | { byCurrency: Readonly<Record<string, string>> }

const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** What every charge carries beside what was asked. */
export interface ChargeTerms {
  /** Where charges are sent, below the gateway's address. */
  readonly path: string
  readonly clientCode: string | null
  /** Shares that are part of every charge. [spec: Charge request, "must be included in every request"] */
  readonly partners: readonly SplitSettlement[]
}

export interface Config {
  readonly environment: 'sandbox' | 'production'
  readonly gateway: {
    readonly baseUrl: string
    /** Hosts (with port, where it is not the usual one) that a hosted page may be on. */
    readonly pageHosts: readonly string[]
    readonly consumerKey: string
    readonly consumerSecret: string
    readonly serviceCodes: ServiceCodes
    readonly accountNumber: string
    /** Where the rates are, when they are elsewhere. */
    readonly fxBaseUrl: string
    /** Where service is confirmed, when that is elsewhere. */
    readonly acknowledgeBaseUrl: string
  }
  /** `null`: charges are off. */
  readonly charges: ChargeTerms | null
  readonly publicUrl: string
  readonly allowedOrigins: readonly string[]
  /** Pages that a shopper may be sent back to: each covers what lies below its path. */
  readonly returnUrls: readonly string[]
  readonly expiresInMinutes: number
  readonly country: Country | null
  readonly storeUrl: string
  /** `null`: a function in the merchant's process, handed to createApp. */
  readonly orders: { kind: 'url'; url: string; token: string } | { kind: 'signed'; keys: Secrets } | null
  /** For the merchant's backend; `null`: the merchant API is off. */
  readonly apiKeys: Secrets | null
  readonly webhook: { readonly url: string; readonly secrets: Secrets } | null
  readonly callbackSecrets: Secrets
  /** `user:password`, when the gateway was told to send them. */
  readonly callbackBasicAuth: Secrets | null
  readonly logLevel: (typeof LOG_LEVELS)[number]
  readonly host: string
  readonly port: number
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly code = 'config_invalid'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.problems = problems
  }
}

/** @throws {ConfigError} naming everything that is wrong. */
export function readConfig(env: Environment, read: (path: string) => string = readText): Config {
  const variables = new Variables(env, read)
  const { problems } = variables

  const baseUrl = variables.base('GATEWAY_BASE_URL')
  const publicUrl = variables.base('PUBLIC_URL')
  if (baseUrl && publicUrl && !isSecure(publicUrl) && !isLoopback(baseUrl)) {
    problems.push('PUBLIC_URL must be https: the gateway calls back to https only [spec: Events, 4].')
  }
  const allowedOrigins = variables.list('ALLOWED_ORIGINS', isOrigin, 'an origin such as https://shop.example')
  const consumerSecret = variables.secrets('GATEWAY_CONSUMER_SECRET')
  const callback = variables.optionalSecrets('CALLBACK_SECRET')

  const config: Config = {
    environment: variables.choice('GATEWAY_ENVIRONMENT', ['sandbox', 'production']) ?? 'sandbox',
    gateway: {
      baseUrl: baseUrl ?? '',
      pageHosts:
        variables.list('GATEWAY_PAGE_HOSTS', isHost, 'a host such as pay.example') ?? hostsOf(baseUrl),
      consumerKey: variables.secrets('GATEWAY_CONSUMER_KEY')?.[0] ?? '',
      consumerSecret: consumerSecret?.[0] ?? '',
      serviceCodes: readServiceCodes(variables),
      accountNumber: variables.required('GATEWAY_ACCOUNT_NUMBER') ?? '',
      fxBaseUrl: variables.optionalBase('GATEWAY_FX_BASE_URL') ?? baseUrl ?? '',
      acknowledgeBaseUrl: variables.optionalBase('GATEWAY_ACKNOWLEDGE_BASE_URL') ?? baseUrl ?? '',
    },
    charges: readCharges(variables),
    publicUrl: publicUrl ?? '',
    allowedOrigins: allowedOrigins ?? [],
    returnUrls: variables.list('RETURN_URLS', isHttpUrl, 'an absolute http(s) URL') ?? allowedOrigins ?? [],
    expiresInMinutes: variables.integer('CHECKOUT_EXPIRES_MINUTES', 1, 24 * 60) ?? 30,
    country: readCountry(variables),
    storeUrl: readStoreUrl(variables),
    orders: readOrders(variables),
    apiKeys: readApiKeys(variables),
    webhook: readWebhook(variables),
    callbackSecrets: callback ?? deriveCallbackSecrets(consumerSecret),
    callbackBasicAuth: readBasicAuth(variables),
    logLevel: variables.choice('LOG_LEVEL', LOG_LEVELS, 'info') ?? 'info',
    host: variables.optional('HOST') ?? '0.0.0.0',
    port: variables.integer('PORT', 0, 65_535) ?? 8080,
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return deepFreeze(config)
}

/** Reads variables one by one and remembers what was wrong with each. */
class Variables {
  readonly #env: Environment
  readonly #read: (path: string) => string
  readonly problems: string[] = []

  constructor(env: Environment, read: (path: string) => string) {
    this.#env = env
    this.#read = read
  }

  optional(name: string): string | undefined {
    const value = this.#env[name]?.trim()
    return value === '' ? undefined : value
  }

  required(name: string): string | undefined {
    const value = this.optional(name)
    if (value === undefined) this.problems.push(`${name} is required.`)
    return value
  }

  /** A secret comes from NAME or from the file that NAME_FILE names; NAME_PREVIOUS is still accepted. */
  optionalSecrets(name: string): Secrets | undefined {
    const current = this.#secret(name)
    const previous = this.#secret(`${name}_PREVIOUS`)
    if (current === undefined) return undefined
    return previous === undefined ? [current] : [current, previous]
  }

  secrets(name: string): Secrets | undefined {
    const values = this.optionalSecrets(name)
    if (!values && this.optional(`${name}_FILE`) === undefined) {
      this.problems.push(`${name} is required, or ${name}_FILE with the path of a file that holds it.`)
    }
    return values
  }

  #secret(name: string): string | undefined {
    const path = this.optional(`${name}_FILE`)
    if (path === undefined) return this.optional(name)
    try {
      const text = this.#read(path).trim()
      if (text !== '') return text
      this.problems.push(`${name}_FILE names a file that is empty.`)
    } catch {
      this.problems.push(`${name}_FILE names a file that cannot be read.`)
    }
    return undefined
  }

  /** Without a slash at its end. */
  url(name: string): string | undefined {
    const value = this.required(name)
    if (value === undefined) return undefined
    if (isHttpUrl(value)) return value
    this.problems.push(`${name} must be an absolute http(s) URL.`)
    return undefined
  }

  optionalUrl(name: string): string | undefined {
    return this.optional(name) === undefined ? undefined : this.url(name)
  }

  /** What paths are put after. */
  base(name: string): string | undefined {
    const value = this.url(name)
    if (value === undefined || !/[?#{]/.test(value)) return value?.replace(/\/+$/, '')
    this.problems.push(`${name} must have no "?", "#" or "{": paths are put after it.`)
    return undefined
  }

  optionalBase(name: string): string | undefined {
    return this.optional(name) === undefined ? undefined : this.base(name)
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback?: T): T | undefined {
    const value = this.optional(name) ?? fallback
    const chosen = choices.find((choice) => choice === value)
    if (!chosen) this.problems.push(`${name} must be one of ${choices.join(', ')}.`)
    return chosen
  }

  integer(name: string, min: number, max: number): number | undefined {
    const value = this.optional(name)
    if (value === undefined) return undefined
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
    if (number >= min && number <= max) return number
    this.problems.push(`${name} must be a whole number from ${min} to ${max}.`)
    return undefined
  }

  list(name: string, fits: (entry: string) => boolean, rule: string): string[] | undefined {
    const entries = this.optional(name)
      ?.split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    for (const entry of entries ?? []) {
      if (!fits(entry)) this.problems.push(`${name} has "${entry}", which is not ${rule}.`)
    }
    return entries
  }
}

function readServiceCodes(variables: Variables): ServiceCodes {
  const value = variables.required('GATEWAY_SERVICE_CODE') ?? ''
  if (!value.includes('=')) return { any: value }
  const pairs = value.split(',').map((pair) => pair.trim().split('='))
  for (const pair of pairs) {
    if (pair.length === 2 && /^[A-Z]{3}$/.test(pair[0] ?? '') && pair[1]) continue
    variables.problems.push(
      'GATEWAY_SERVICE_CODE must be one code, or CURRENCY=CODE pairs such as KES=…,UGX=….',
    )
    break
  }
  return { byCurrency: Object.fromEntries(pairs) }
}

function readCharges(variables: Variables): ChargeTerms | null {
  const path = variables.optional('GATEWAY_CHARGE_PATH')?.replace(/\/+$/, '')
  if (path !== undefined && !/^(\/[\w.~-]+)+$/.test(path)) {
    variables.problems.push('GATEWAY_CHARGE_PATH must be a path such as /v1/charges.')
  }
  const clientCode = variables.optional('GATEWAY_CLIENT_CODE') ?? null
  if (clientCode !== null && clientCode.length > 32) {
    variables.problems.push('GATEWAY_CLIENT_CODE must be at most 32 characters.')
  }
  const partners = readPartners(variables)
  return path === undefined ? null : { path, clientCode, partners }
}

/** [assumed] The spec says that there are such accounts, and leaves to the merchant what each of them gets. */
function readPartners(variables: Variables): SplitSettlement[] {
  const name = 'PARTNER_ACCOUNTS_DYNAMIC'
  const entries = variables.list(name, isPartner, 'ACCOUNT=AMOUNT:REASON') ?? []
  const partners = entries.flatMap((entry) => partnerOf(entry) ?? [])
  const accounts = partners.map(({ account }) => account)
  for (const account of accounts.filter((each, index) => accounts.indexOf(each) !== index)) {
    variables.problems.push(`${name} names ${account} more than once.`)
  }
  return partners
}

function isPartner(entry: string): boolean {
  return partnerOf(entry) !== null
}

/** "PARTNER-FEES=25:Platform fee" */
function partnerOf(entry: string): SplitSettlement | null {
  const [, account, amount, reason] = /^([^=]+)=([^:]+):(.+)$/.exec(entry) ?? []
  return SplitSettlement.safeParse({ account: account?.trim(), amount, reason: reason?.trim() }).data ?? null
}

function readCountry(variables: Variables): Country | null {
  const value = variables.optional('DEFAULT_COUNTRY')?.toUpperCase()
  if (value === undefined) return null
  if (isCountry(value)) return value
  variables.problems.push('DEFAULT_COUNTRY must be the two-letter code of a supported country, such as KE.')
  return null
}

function readStoreUrl(variables: Variables): string {
  const value = variables.optional('STORE_URL') ?? 'sqlite:gateway-checkout.sqlite'
  if (!/^sqlite:./.test(value)) variables.problems.push('STORE_URL must be sqlite:PATH.')
  return value
}

function readOrders(variables: Variables): Config['orders'] {
  const url = variables.optionalBase('ORDERS_URL')
  const keys = variables.optionalSecrets('ORDER_SIGNING_KEY')
  if (url && keys) {
    variables.problems.push(
      'Set ORDERS_URL or ORDER_SIGNING_KEY, not both: the text of an order decides nothing.',
    )
  }
  if (keys?.some((key) => new TextEncoder().encode(key).length < 32)) {
    variables.problems.push('ORDER_SIGNING_KEY must be at least 32 bytes long.')
  }
  if (url) return { kind: 'url', url, token: variables.secrets('ORDERS_TOKEN')?.[0] ?? '' }
  return keys ? { kind: 'signed', keys } : null
}

function readApiKeys(variables: Variables): Secrets | null {
  const keys = variables.optionalSecrets('MERCHANT_API_KEY')
  if (keys?.some((key) => key.length < 24)) {
    variables.problems.push('MERCHANT_API_KEY must be at least 24 characters long.')
  }
  return keys ?? null
}

function readWebhook(variables: Variables): Config['webhook'] {
  if (variables.optional('MERCHANT_WEBHOOK_URL') === undefined) return null
  const url = variables.url('MERCHANT_WEBHOOK_URL')
  const secrets = variables.secrets('MERCHANT_WEBHOOK_SECRET')
  if (secrets?.some((secret) => !/^(whsec_)?[A-Za-z0-9+/]{32,}={0,2}$/.test(secret))) {
    variables.problems.push('MERCHANT_WEBHOOK_SECRET must be whsec_ followed by at least 24 bytes in base64.')
  }
  return url && secrets ? { url, secrets } : null
}

function readBasicAuth(variables: Variables): Secrets | null {
  const values = variables.optionalSecrets('CALLBACK_BASIC_AUTH')
  if (values?.some((value) => !/^[^:]+:/.test(value))) {
    variables.problems.push('CALLBACK_BASIC_AUTH must be user:password.')
  }
  return values ?? null
}

/**
 * [assumed] Without a secret of their own, callback addresses hang on the consumer secret: they then change when
 * that is replaced, and what was under way is found by asking.
 */
function deriveCallbackSecrets(consumerSecret: Secrets | undefined): Secrets {
  const derive = (secret: string) =>
    createHmac('sha256', secret).update('callback addresses').digest('base64url')
  const [current = '', ...previous] = consumerSecret ?? []
  return [derive(current), ...previous.map(derive)]
}

function hostsOf(url: string | undefined): string[] {
  return url ? [new URL(url).host] : []
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function isOrigin(text: string): boolean {
  return isHttpUrl(text) && new URL(text).origin === text
}

function isHost(text: string): boolean {
  return URL.canParse(`https://${text}`) && new URL(`https://${text}`).host === text
}

function isSecure(url: string): boolean {
  return new URL(url).protocol === 'https:'
}

function isLoopback(url: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname)
}

function readText(path: string): string {
  return readFileSync(path, 'utf8')
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
