/** What the server says about itself. Satisfied by pino; facts never hold a secret, a whole body or a payer. */

export interface Log {
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}

export const silentLog: Log = { info() {}, warn() {}, error() {} }
