/**
 * The interface through which the server reports metrics; `createApp` accepts any implementation. That for Prometheus is
 * in `prometheus.ts`.
 */

/** The facts about one HTTP request to the gateway. */
interface ExchangeFacts {
  method: string
  /** The path template of the gateway's endpoint, such as `/v1/payouts/:payout_reference/status`. */
  path: string
  /** The `code` of the `GatewayError` if the request failed; `null` if the request succeeded. */
  code: string | null
  /** Duration of the request, in milliseconds. */
  ms: number
  /**
   * How far this server's clock is ahead of the gateway's, in milliseconds; negative if it is behind, `null` if the
   * request does not show it.
   */
  skew_ms: number | null
}

/**
 * Receives the measurements of the server. The methods are called during requests, so they must be fast and must not
 * throw.
 */
export interface Metrics {
  /** Reports a response that this server sent. `route` is the path template, such as `/api/payouts/:reference`. */
  request(method: string, route: string, status: number): void
  /** Reports a request to the gateway, whether or not a response arrived. */
  exchange(exchange: ExchangeFacts): void
  /** Reports a delivery of an event to the merchant's backend, and the duration of the delivery in milliseconds. */
  delivery(result: 'delivered' | 'failed' | 'given_up', ms: number): void
  /** Reports the new outcome of a transaction. */
  outcome(kind: string, outcome: string): void
  /** Reports that a transaction has settled, and the time from its creation to its settlement in milliseconds. */
  settled(kind: string, ms: number): void
  /** Reports the number of event streams that pages have open. */
  streams(open: number): void
  /**
   * Reports whether the circuit breaker of a target is open. While the breaker is open, the server sends only probes to
   * the target. The breaker of the gateway is open while the gateway does not answer the status queries of one family.
   */
  breaker(target: 'gateway' | 'backend', isOpen: boolean): void
  /** Reports a request that was refused because of a limit. `limit` is the name of the limit, such as `orders`. */
  limited(limit: string): void
}
