/** Creates and starts the server with every feature, as the package exports it; `core.ts` starts it with those of a list. */

import { createAppWith } from './app.ts'
import { FEATURES } from './features.ts'
import { loadKind } from './load-kind.ts'
import { embedWith, startWith } from './start.ts'

import type { App, AppOptions } from './app.ts'
import type { Found } from './orders/sources.ts'
import type { Embedded, EmbedOptions, Started, StartOptions } from './start.ts'

/**
 * Creates the server, a Hono app that serves the widget, `/checkout`, `/callbacks` and `/api`. The caller must also
 * call `work(signal)` on the app. The workers then query the gateway and deliver events, even while no shopper visits a
 * page. [spec: What the service does, 1]
 *
 * @param options `config`, `store`, and at most one source of orders (`orders`, ORDERS_URL, or keys for signed orders).
 * @throws {Error} if there is more than one source of orders.
 * @example
 * const config = readConfig(process.env)
 * const app = createApp({ config, store: openStore(config.storeUrl), orders: findOrder })
 * void app.work(new AbortController().signal)
 * serve({ fetch: app.fetch, port: config.port })
 */
export function createApp<Given extends Found>(options: AppOptions<Given>): App {
  return createAppWith({ features: FEATURES, loadKind }, options)
}

/**
 * Starts the server: reads the configuration, opens the store, runs the workers, and listens on HOST and PORT. Step by
 * step, `readConfig`, `openStore` and `createApp` do the same.
 *
 * @throws {ConfigError} listing every variable that is missing or invalid.
 * @throws {Error} if the store cannot be opened, or the port cannot be used.
 * @example
 * await start({ orders: (reference) => findOrder(reference), onEvent: (event) => fulfil(event) })
 */
export function start<Given extends Found>(options: StartOptions<Given> = {}): Promise<Started> {
  return startWith({ features: FEATURES, loadKind }, options)
}

/**
 * Like {@link start}, for a process that has an HTTP server already: runs the workers, and returns handlers for that
 * server. PUBLIC_URL contains the path below which they are mounted, if there is one.
 *
 * @example
 * const pay = await embed({ orders, onEvent })
 * express().use('/pay', pay.handler)
 */
export function embed<Given extends Found>(options: EmbedOptions<Given> = {}): Promise<Embedded> {
  return embedWith({ features: FEATURES, loadKind }, options)
}
