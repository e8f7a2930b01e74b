/**
 * The environment variables: their list, from which the table in the README is generated, and the class that reads and
 * validates them. The class reads no other name, and collects a message for each invalid or missing variable.
 */

import type { Secrets } from './secret.ts'
import { isIP } from 'node:net'
import { isHttpUrl } from '../contract/parse-url.ts'
import { Secret } from './secret.ts'
import { isReadByAll } from './text-file.ts'

/**
 * The environment variables by name, for example `process.env`. An `undefined` value means that the variable is not
 * set.
 */
export type Environment = Readonly<Record<string, string | undefined>>

/** What is probably wrong: a variable that nobody reads, or a file of a secret that everybody may read. */
export interface Warning {
  about: 'variables' | 'files'
  text: string
}

interface VariableRow {
  /** What the variable is for, for the merchant's developer. Parts in backquotes are code. */
  text: string
  /** The server does not start without the variable. */
  required?: true
  /** The value that has the same effect as none. */
  fallback?: string
  /** The variable may also be read from a file (`NAME_FILE`), and has an older value (`NAME_PREVIOUS`). */
  file?: true
}

export const VARIABLES = {
  GATEWAY_ENVIRONMENT: { text: '`sandbox` or `production`.', required: true },
  GATEWAY_BASE_URL: { text: 'Base URL of the gateway, from the merchant portal.', required: true },
  GATEWAY_CONSUMER_KEY: { text: 'From the merchant portal.', required: true, file: true },
  GATEWAY_CONSUMER_SECRET: { text: 'From the merchant portal.', required: true, file: true },
  GATEWAY_SERVICE_CODE: { text: 'One code, or one per currency: `KES=CODE,UGX=CODE`.', required: true },
  GATEWAY_ACCOUNT_NUMBER: {
    text: 'One number, or one per currency: `KES=NUMBER,UGX=NUMBER`, with at least the currencies of `GATEWAY_SERVICE_CODE`. Orders and charges name the account of their currency. The store knows you by these numbers: add and replace them one at a time, or run `adopt`.',
    required: true,
  },
  PUBLIC_URL: {
    text: 'The address of this server, with its path if it has one; https unless the gateway is on this machine.',
    required: true,
  },
  ALLOWED_ORIGINS: {
    text: 'Origins of the pages with the tag, comma-separated, such as `https://shop.example`.',
  },
  RETURN_URLS: {
    text: 'Pages to which a shopper may return, each including the paths below it, or a whole origin, also of an app (`capacitor://localhost`). Default: `ALLOWED_ORIGINS` and the origin of `PUBLIC_URL`. Below a path, encoded slashes and encoded dot segments are refused.',
  },
  ORDERS_URL: {
    text: 'Where your backend answers `GET ORDERS_URL/REFERENCE` with the order as JSON. Set this or a key for signed orders, unless `orders` is a function.',
  },
  ORDERS_TOKEN: { text: 'The bearer token of requests to `ORDERS_URL`; required with it.', file: true },
  ORDER_SIGNING_KEY: {
    text: 'Key with which your backend signs orders (HS256), at least 32 bytes.',
    file: true,
  },
  ORDER_PUBLIC_KEYS: {
    text: 'JSON Web Key Set of the public keys with which signed orders are verified (EdDSA, ES256).',
    file: true,
  },
  ORDER_MAX_LIFETIME: { text: 'Largest lifetime of a signed order, in seconds.', fallback: '86400' },
  MERCHANT_API_KEY: {
    text: 'Enables `/api`; at least 24 characters, such as the output of `openssl rand -base64 32`.',
    file: true,
  },
  MERCHANT_WEBHOOK_URL: { text: 'Where events are sent.' },
  MERCHANT_WEBHOOK_SECRET: {
    text: 'Key of the signatures of events, `whsec_` and base64; required with `MERCHANT_WEBHOOK_URL`.',
    file: true,
  },
  PRIVATE_HOSTS: {
    text: 'Hosts of `ORDERS_URL`, `MERCHANT_WEBHOOK_URL` and `STORE_URL` that are in a private network, such as `orders.lan`: they may have private addresses, and no TLS, in production.',
  },
  CHECKOUT_EXPIRES_MINUTES: { text: 'Lifetime of a checkout session, in minutes.', fallback: '30' },
  DEFAULT_COUNTRY: { text: 'Completes national phone numbers: the two letters of a country, such as `KE`.' },
  GATEWAY_PAGE_HOSTS: {
    text: 'Hosts on which a hosted page may be, comma-separated. Default: the host of `GATEWAY_BASE_URL`.',
  },
  GATEWAY_FX_BASE_URL: { text: 'Base URL of the exchange rates. Default: `GATEWAY_BASE_URL`.' },
  GATEWAY_ACKNOWLEDGE_BASE_URL: {
    text: 'Base URL of the service confirmation. Default: `GATEWAY_BASE_URL`.',
  },
  GATEWAY_MAX_RPS: {
    text: 'The most requests per second from a server process to the gateway. Only status queries wait for it.',
    fallback: '50',
  },
  GATEWAY_CHARGE_PATH: {
    text: 'Path for sending charges, such as `/v1/charges`; charges are off without it.',
  },
  GATEWAY_CHARGE_STATUS_PATH: {
    text: 'Path for querying a charge, with `:external_reference` or `:charge_request_id`, such as `/v1/transaction/:charge_request_id/status`. Default: `GATEWAY_CHARGE_PATH` and `/:external_reference/status`.',
  },
  GATEWAY_CHARGE_METHODS: {
    text: 'Operators that ask payers on the phone, comma-separated: `CODE`, `CODE=NAME` or `CODE=NAME:PREFIX PREFIX`, such as `MOMO_KEN=MoMo:25470 25471`.',
  },
  GATEWAY_CLIENT_CODE: { text: 'The `client_code` of every charge, at most 32 characters.' },
  PARTNER_ACCOUNTS_DYNAMIC: {
    text: 'Shares of every charge, comma-separated: `ACCOUNT=AMOUNT:REASON`, such as `PARTNER-FEES=25:Platform fee`; of the charges in one currency: `KES/PARTNER-FEES=25:Platform fee`.',
  },
  GATEWAY_REHEARSAL: {
    text: '`1`: the gateway of the production environment may be a look-alike on this machine, with the credentials of the sandbox. Logged as a warning at start; `check` is then never ready.',
  },
  CALLBACK_SECRET: {
    text: 'Key of the tokens in callback addresses, at least 24 characters. Default: derived from `GATEWAY_CONSUMER_SECRET`.',
    file: true,
  },
  CALLBACK_BASIC_AUTH: { text: '`user:password` that the gateway sends with callbacks.', file: true },
  STORE_URL: {
    text: '`sqlite:PATH` or `postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=verify-full`; in the sandbox also `sqlite::memory:`, which a restart empties.',
    fallback: 'sqlite:gateway-checkout.sqlite',
    file: true,
  },
  RETENTION_DAYS: {
    text: 'Deletes settled transactions this many days after their last change; 31 or more. Default: never.',
  },
  TRUSTED_PROXIES: {
    text: 'Addresses and networks of the proxies before this server, comma-separated, such as `10.0.0.0/8`; `none` if there is no proxy.',
  },
  HOST: { text: 'The address that the server listens on.', fallback: '0.0.0.0' },
  PORT: { text: 'The port that the server listens on; `0` for any free port.', fallback: '8080' },
  METRICS_PORT: {
    text: 'Port of Prometheus `/metrics`, on `HOST`; metrics are off without it. Keep it away from the public.',
  },
  LOG_LEVEL: { text: '`debug`, `info`, `warn`, `error` or `silent`.', fallback: 'info' },
} as const satisfies Readonly<Record<string, VariableRow>>

/** The name of an environment variable of the server, without `_FILE` and `_PREVIOUS`. */
export type VariableName = keyof typeof VARIABLES

/** The names that are read by `Variables.secrets`. */
export type SecretName = {
  [Name in VariableName]: (typeof VARIABLES)[Name] extends { file: true } ? Name : never
}[VariableName]

/** The rows of the list, in its order. */
export const VARIABLE_ROWS: readonly (readonly [name: string, row: VariableRow])[] = Object.entries(VARIABLES)

/** Variables with other prefixes may belong to other programs. */
const OUR_PREFIX = /^(GATEWAY|MERCHANT|ORDERS?|CALLBACK|CHECKOUT)_/

/** A function that returns whether a value is valid. */
type Fits = (value: string) => boolean

export class Variables {
  readonly #env: Environment
  readonly #read: (path: string) => string
  /**
   * The messages about missing and invalid variables. A message names the variable and the rule that its value breaks,
   * and never contains a secret's value.
   */
  readonly problems: string[] = []
  readonly sharedFiles: Warning[] = []
  /** The names of the variables, also with `_FILE` and `_PREVIOUS` if they were asked for so. */
  readonly #known = new Set<string>(Object.keys(VARIABLES))

  /** @param read Returns the text of the file at a path; throws if the file cannot be read. */
  constructor(env: Environment, read: (path: string) => string) {
    this.#env = env
    this.#read = read
  }

  /**
   * Returns the value of a variable; `undefined` if the variable is missing, blank or invalid. Adds a message to
   * `problems` if the value is invalid.
   */
  optional(name: VariableName, fits: Fits = () => true, rule = ''): string | undefined {
    return this.#keep(name, this.#value(name), fits, rule)
  }

  required(name: VariableName, fits?: Fits, rule?: string): string | undefined {
    if (!this.#isSet(name)) this.problems.push(`${name} is required.`)
    return this.optional(name, fits, rule)
  }

  /**
   * Returns the values of a secret; `undefined` if there is no current value. The current value is in the variable
   * `NAME`, or in the file whose path is in `NAME_FILE`. The previous value is in `NAME_PREVIOUS`, or in the file whose
   * path is in `NAME_PREVIOUS_FILE`.
   */
  optionalSecrets(name: SecretName, fits: Fits = () => true, rule = ''): Secrets | undefined {
    const current = this.#keep(name, this.#secret(name), fits, rule)
    const previous = this.#keep(`${name}_PREVIOUS`, this.#secret(`${name}_PREVIOUS`), fits, rule)
    if (current === undefined) return undefined
    return previous === undefined ? [new Secret(current)] : [new Secret(current), new Secret(previous)]
  }

  secrets(name: SecretName, fits?: Fits, rule?: string): Secrets | undefined {
    if (!this.#isSet(name) && !this.#isSet(`${name}_FILE`)) {
      this.problems.push(`${name} is required, or ${name}_FILE with the path of a file that holds it.`)
    }
    return this.optionalSecrets(name, fits, rule)
  }

  /**
   * Returns a base URL without trailing slashes; `undefined` if the variable is missing or invalid. Scheme and host are
   * in lower case and a default port is left out, because stored transactions are found by the exact text of the base
   * URL.
   */
  optionalBase(name: VariableName): string | undefined {
    const value = this.optional(name, isAddress, ADDRESS)
    if (value === undefined) return undefined
    if (!/[?#{]/.test(value)) return new URL(value).href.replace(/(?<!\/)\/+$/, '')
    this.problems.push(`${name} must have no "?", "#" or "{": paths are put after it.`)
    return undefined
  }

  base(name: VariableName): string | undefined {
    return this.required(name) === undefined ? undefined : this.optionalBase(name)
  }

  choice<T extends string>(name: VariableName, choices: readonly T[], fallback?: T): T | undefined {
    const value = this.optional(name) ?? fallback
    const chosen = choices.find((choice) => choice === value)
    if (chosen === undefined) this.problems.push(`${name} must be one of ${choices.join(', ')}.`)
    return chosen
  }

  integer(name: VariableName, min: number, max: number): number | undefined {
    const fits = (value: string) => /^\d{1,9}$/.test(value) && +value >= min && +value <= max
    const value = this.optional(name, fits, `a whole number from ${min} to ${max}`)
    return value === undefined ? undefined : Number(value)
  }

  /**
   * Returns the entries of a comma-separated list; `undefined` if the variable is missing. Adds a message to `problems`
   * for every invalid entry.
   */
  list(name: VariableName, fits: Fits, rule: string): string[] | undefined {
    const entries = this.optional(name)
      ?.split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== '')
    for (const entry of entries ?? []) {
      // The entry may be a URL with a password.
      const shown = entry.replace(/\/\/.*@/, '//…@')
      if (!fits(entry)) this.problems.push(`${name} has "${shown}", which is not ${rule}.`)
    }
    return entries
  }

  /** Returns a sentence for each variable that is set and not read, although its name has a prefix of this server. */
  unknown(): Warning[] {
    return Object.keys(this.#env)
      .filter((name) => OUR_PREFIX.test(name) && !this.#known.has(name) && this.#env[name]?.trim())
      .map((name) => ({
        about: 'variables',
        text: `${name} is set, but is not read: this server has no such variable.`,
      }))
  }

  #isSet(name: string): boolean {
    this.#known.add(name)
    return Boolean(this.#env[name]?.trim())
  }

  /** Returns the text of a variable; `undefined` if the text is missing or blank. */
  #value(name: string): string | undefined {
    this.#known.add(name)
    return this.#env[name]?.trim() || undefined
  }

  #keep(name: string, value: string | undefined, fits: Fits, rule: string): string | undefined {
    if (value === undefined || fits(value)) return value
    this.problems.push(`${name} must be ${rule}.`)
    return undefined
  }

  #secret(name: string): string | undefined {
    this.#known.add(name)
    const path = this.#value(`${name}_FILE`)
    if (path === undefined) return this.#value(name)
    // A text that does not begin as a path does may be the secret itself, given to the wrong variable.
    const named = /^([a-z]:)?[/\\.]/i.test(path)
      ? `${name}_FILE names the file ${path}`
      : `${name}_FILE names a file`
    try {
      const text = this.#read(path).trim()
      if (isReadByAll(path))
        this.sharedFiles.push({
          about: 'files',
          text: `${named}, which every user of this machine may read: chmod 600.`,
        })
      if (text !== '') return text
      this.problems.push(`${named}, which is empty.`)
    } catch (error) {
      const reason = error instanceof Error && 'code' in error ? `: ${String(error.code)}` : ''
      this.problems.push(`${named}, which cannot be read${reason}.`)
    }
    return undefined
  }
}

export const ADDRESS = 'an absolute http(s) URL without a user or a password'

/** Returns whether a text is an {@link ADDRESS}. A user and a password would never be sent. */
export function isAddress(text: string): boolean {
  if (!isHttpUrl(text)) return false
  const { username, password } = new URL(text)
  return username === '' && password === ''
}

/** Returns whether a text is an IP address, or a network in CIDR notation such as 10.0.0.0/8. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32))
}
