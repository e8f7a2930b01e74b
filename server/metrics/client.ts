/** The client library of Prometheus, and the prefix of this server's metrics. */

import type * as PromClient from 'prom-client'
import { createRequire } from 'node:module'

export const PREFIX = 'gateway_checkout_'

/** Loads Prometheus' client when metrics are created, because most servers that import this package have no metrics. */
export function loadClient(): typeof PromClient {
  return createRequire(import.meta.url)('prom-client')
}
