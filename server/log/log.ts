/**
 * The interface of the server's logger. A pino logger is compatible. The logged fields (`facts`) never contain a
 * secret, a complete request or response body, or payer details.
 */
export interface Log {
  /** Logs what helps to find a fault. */
  debug(facts: object, message: string): void
  /** Logs what happened as it should. */
  info(facts: object, message: string): void
  /** Logs what somebody should look at. */
  warn(facts: object, message: string): void
  /** Logs what failed. */
  error(facts: object, message: string): void
}

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }
