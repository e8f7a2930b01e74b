/**
 * Lists the environment variables. The table in the README is generated from this list, and `Variables` reads no other
 * name.
 */

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
  GATEWAY_SERVICE_CODE: {
    text: 'One code, or one per currency: `KES=CODE,UGX=CODE`.',
    required: true,
  },
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
  ORDERS_TOKEN: {
    text: 'The bearer token of requests to `ORDERS_URL`; required with it.',
    file: true,
  },
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
  DEFAULT_COUNTRY: {
    text: 'Completes national phone numbers: the two letters of a country, such as `KE`.',
  },
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
