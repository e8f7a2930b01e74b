/**
 * The interface through which the server reports metrics. `createMetrics` implements this interface for Prometheus;
 * `createApp` accepts any implementation.
 */

/** One HTTP exchange with the gateway. */
interface ExchangeFacts {
  method: string
  /** The path template of the endpoint, such as `/v1/payouts/:payout_reference/status`. */
  path: string
  /** The error code of a failed exchange; `null` on success. */
  code: string | null
  /** Duration in milliseconds. */
  ms: number
}

/**
 * Receives what the server measures. The methods are called during requests, so they must be fast and must not throw.
 */
export interface Metrics {
  /** Reports a response of this server. `route` is the path template, such as `/api/payouts/:reference`. */
  request(method: string, route: string, status: number): void
  /** Reports an exchange with the gateway, with or without a response. */
  exchange(exchange: ExchangeFacts): void
  /** Reports an attempt to deliver an event to the merchant's backend, and the duration in milliseconds. */
  delivery(result: 'delivered' | 'failed' | 'given_up', ms: number): void
  /** Reports the new outcome of a transaction. */
  outcome(kind: string, outcome: string): void
  /** Reports that a transaction has settled, and the time since its creation in milliseconds. */
  settled(kind: string, ms: number): void
  /** Reports how many event streams of pages are open. */
  streams(open: number): void
  /** Reports whether the breaker of a target is open: only single requests then probe it. */
  breaker(target: 'gateway' | 'backend', isOpen: boolean): void
  /** Reports a request that was refused because of a limit. `limit` is the name of the limit, such as `orders`. */
  limited(limit: string): void
}

export const noMetrics: Metrics = {
  request() {},
  exchange() {},
  delivery() {},
  outcome() {},
  settled() {},
  streams() {},
  breaker() {},
  limited() {},
}
