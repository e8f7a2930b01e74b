/**
 * The interface to which the server reports its metrics. `createMetrics` implements it for Prometheus; `createApp`
 * accepts any other implementation.
 */

/** Facts about one HTTP exchange with the gateway. */
interface ExchangeFacts {
  method: string
  /** The path template of the endpoint. */
  path: string
  /** The error code of a failed exchange; `null` on success. */
  code: string | null
  /** Duration in milliseconds. */
  ms: number
}

/** Each method is called once per event of its kind, so it must be fast and must not throw. */
export interface Metrics {
  /** A request was answered. `route` is the template of its path, such as `/api/payouts/:reference`. */
  request(method: string, route: string, status: number): void
  /** An exchange with the gateway ended, with or without a response. */
  exchange(exchange: ExchangeFacts): void
  /** A delivery to the merchant's backend ended, after `ms` milliseconds. */
  delivery(result: 'delivered' | 'failed' | 'given_up', ms: number): void
  /** A transaction has a new outcome. */
  outcome(kind: string, outcome: string): void
  /** A transaction was settled, `ms` milliseconds after its creation. */
  settled(kind: string, ms: number): void
}

export const noMetrics: Metrics = { request() {}, exchange() {}, delivery() {}, outcome() {}, settled() {} }
