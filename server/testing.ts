/**
 * The package entry `gateway-checkout-server/testing`: a gateway, and a server that uses it, for one test. They need no
 * network beyond this machine, and keep nothing.
 */

import { listen } from '../demo/sandbox/http/listen.ts'
import { startSandbox } from '../demo/sandbox/index.ts'
import { readConfig } from './config/config.ts'
import { createApp } from './every-feature.ts'
import { openStore } from './store/open.ts'
import { createPortalAddress } from './transactions/callback-address.ts'

import type { RunningSandbox } from '../demo/sandbox/index.ts'
import type { App, AppOptions } from './app.ts'
import type { Config } from './config/config.ts'
import type { Environment } from './config/variables.ts'
import type { Found } from './orders/sources.ts'

export { startSandbox }
export type { RunningSandbox }

export interface ServerOptions<Given extends Found = Found> extends Pick<
  AppOptions<Given>,
  'orders' | 'onEvent' | 'log'
> {
  /** Default: any free port. */
  port?: number
  /** More variables, such as `ALLOWED_ORIGINS` for the pages under test. They replace those of the sandbox. */
  env?: Environment
}

export interface RunningServer {
  /** The page of an order is at `/pay/{order}`. */
  url: string
  config: Config
  /** Stops the server and its workers, and closes the store. */
  close(): Promise<void>
}

/**
 * Starts a server on this machine whose gateway is `sandbox`, with a store in memory. It follows the sandbox's clock,
 * and is told of every result by callback. Without a source of orders, each reference is an order of KES 1,500.
 *
 * @throws {ConfigError} listing every variable that is missing or invalid.
 * @example
 *   const server = await startServer(await startSandbox())
 */
export async function startServer<Given extends Found>(
  sandbox: RunningSandbox,
  options: ServerOptions<Given> = {},
): Promise<RunningServer> {
  const { port = 0, env, orders = anyOrder, ...appOptions }: ServerOptions = options
  // The app needs the server's address, so the server listens before there is an app.
  let app: App | undefined
  const server = await listen(
    { fetch: (request, bindings) => app?.fetch(request, bindings) ?? new Response(null, { status: 503 }) },
    port,
  )
  const stopping = new AbortController()
  try {
    const ownVariables = { PUBLIC_URL: server.url, STORE_URL: 'sqlite::memory:' }
    const config = readConfig({ ...sandbox.env, ...CHARGE_VARIABLES, ...ownVariables, ...env })
    const store = openStore(config.storeUrl)
    // Variables may name another source of orders.
    const source = config.orders ? {} : { orders }
    app = createApp({ ...appOptions, ...source, config, store, clock: sandbox.timeline })
    const working = app.work(stopping.signal)
    await register(sandbox, config)

    const close = async () => {
      stopping.abort()
      await Promise.all([server.close(), working])
      await store.close()
    }

    return { url: server.url, config, close }
  } catch (error) {
    await server.close()
    throw error
  }
}

/** Charges are on, so that a tag can ask the payer on the phone. */
const CHARGE_VARIABLES = {
  GATEWAY_CHARGE_PATH: '/v1/charges',
  GATEWAY_CHARGE_METHODS:
    'MOMO_KEN=MoMo:25470 25471 dial=*334# least=10 greatest=150000,WAVELET_KEN=Wavelet:25473',
}

function anyOrder(order: string) {
  return { order, amount: '1500', currency: 'KES', narration: 'Two kangas' }
}

/** Registers in the portal where the callbacks of charges and airtime go, which have no address of their own. */
async function register({ app, portal }: RunningSandbox, config: Config): Promise<void> {
  const addresses = {
    charge_callback_url: createPortalAddress('charges', config).url,
    airtime_callback_url: createPortalAddress('airtime', config).url,
  }
  // `portal` has the settings after a reset of the sandbox; the request changes those of now.
  Object.assign(portal, addresses)
  await app.request('/_sandbox/portal', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(addresses),
  })
}

export interface Fixtures {
  sandbox: RunningSandbox
  server: RunningServer
}

type Use<T> = (lent: T) => Promise<void>

/**
 * Lends a test its own sandbox, and a server whose gateway it is, and closes them after the test.
 *
 * @example
 *   const test = base.extend(fixtures) // the `test` of Vitest or Playwright
 *   test('a test', async ({ sandbox, server }) => {})
 */
export const fixtures = {
  // oxlint-disable-next-line no-empty-pattern -- Playwright and Vitest read in the pattern what a fixture needs.
  sandbox: async ({}: object, use: Use<RunningSandbox>) => lend(await startSandbox(), use),
  server: async ({ sandbox }: Pick<Fixtures, 'sandbox'>, use: Use<RunningServer>) =>
    lend(await startServer(sandbox), use),
}

async function lend<T extends { close(): Promise<void> }>(lent: T, use: Use<T>): Promise<void> {
  try {
    await use(lent)
  } finally {
    await lent.close()
  }
}
