/**
 * The interface of the server's logger. A pino logger is compatible. The logged fields (`facts`) never contain a
 * secret, a complete request or response body, or payer details.
 */
export interface Log {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
