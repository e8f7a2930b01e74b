/**
 * The server with the features that a merchant lists, as `gateway-checkout-server/core`: what is not in the list is not
 * loaded. There is no default list, because it would load everything.
 */

import { loadKind } from './load-kind.ts'
import { embedWith, startWith } from './start.ts'

import type { Found } from './orders/sources.ts'
import type { Feature } from './routes/feature.ts'
import type { Embedded, EmbedOptions, Started, StartOptions } from './start.ts'

export type { Feature } from './routes/feature.ts'

/** What the server does: features, each from `gateway-checkout-server/features/NAME`. */
interface Listed {
  features: readonly Feature[]
}

/**
 * Starts the server with these features, like `start` of `gateway-checkout-server`.
 *
 * @throws {ConfigError} listing every variable that is missing or invalid, or that only other features read; or if the
 * store has transactions of other features that are not settled.
 * @throws {Error} if the store cannot be opened, or the port cannot be used.
 * @example
 * import { start } from 'gateway-checkout-server/core'
 * import { checkouts } from 'gateway-checkout-server/features/checkouts'
 *
 * await start({ features: [checkouts], orders: (reference) => findOrder(reference) })
 */
export function start<Given extends Found>({
  features,
  ...options
}: Listed & StartOptions<Given>): Promise<Started> {
  return startWith({ features, loadKind }, options)
}

/** Like {@link start}, for a process that has an HTTP server already, like `embed` of `gateway-checkout-server`. */
export function embed<Given extends Found>({
  features,
  ...options
}: Listed & EmbedOptions<Given>): Promise<Embedded> {
  return embedWith({ features, loadKind }, options)
}
