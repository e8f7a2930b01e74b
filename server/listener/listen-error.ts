/** Thrown if a port cannot be used, for example because another process listens on it. */
export class ListenError extends Error {
  override readonly name = 'ListenError'

  constructor(variable: 'PORT' | 'METRICS_PORT', port: number, cause: Error) {
    super(`The server cannot listen on ${variable} ${port}: ${cause.message}.`, { cause })
  }
}
