// The sandbox, as other packages start it: with a port, or within their own process.

import { Hono } from 'hono'

import { createTimeline } from './clock/timeline.ts'
import { createHistory } from './history.ts'
import { refuseOtherSites, requireKnownHost } from './http/cross-site.ts'
import { sendDate } from './http/date-header.ts'
import { listen } from './http/listen.ts'
import { openJournalFile, StateError } from './journal/journal.ts'
import { SANDBOX_KEY, SANDBOX_SHOP, SEEDED_MERCHANTS } from './merchants/seeded-merchants.ts'
import { anySeed, createRandomness } from './randomness.ts'
import { PASSWORD_DIGITS, SEEDED_PASSWORD, seededUsers } from './users/users.ts'

import type { SandboxFetch } from './callbacks/deliveries.ts'
import type { PortalSettings } from './callbacks/portal-addresses.ts'
import type { Timeline } from './clock/timeline.ts'
import type { Environment } from './environment.ts'
import type { JournalFile } from './journal/journal.ts'
import type { Merchant, Service } from './merchants/merchant.ts'
import type { ChargeDialect } from './sessions/session.ts'

export { createTimeline, StateError }
export type { ChargeDialect, Environment, PortalSettings, SandboxFetch }
export type { Cancel, Task, Timeline, TimelineOptions, Wall } from './clock/timeline.ts'

export interface SandboxOptions {
  /**
   * The clock and scheduler of the sandbox. By default, the clock follows real time until a request to
   * `/_sandbox/clock` changes its time or speed.
   */
  timeline?: Timeline
  /** The function that sends callbacks. Default: the global `fetch`. */
  fetch?: SandboxFetch
  /**
   * The seed of all random values. With equal seeds, equal requests get equal tokens and references. Default: random.
   */
  seed?: number
  /**
   * The origin of the hosted page, used in `redirect_url`. Default: the origin of the request that creates the session.
   */
  publicUrl?: string
  /**
   * Host names of the sandbox, in addition to loopback names and the host of `publicUrl`. Requests with another `Host`
   * header are refused. Default: none.
   */
  hosts?: readonly string[] | undefined
  /**
   * Host names that may receive callbacks, in addition to loopback hosts; in production the only ones. Default: none.
   */
  callbackHosts?: readonly string[]
  /** The callback URLs in the merchant portal. Default: none. */
  portal?: PortalSettings
  /**
   * How charges are served. `spec`: at `/v1/charges`, with the state of a checkout. `flat`: at
   * `/v1/mobile-money/charge` and `/v1/cards/charge`, with one payment record as the state, under the gateway's id.
   * Default: `spec`.
   */
  charges?: ChargeDialect
  /**
   * `production`: a look-alike of the gateway's production environment, without magic numbers and without `/_sandbox`.
   * Callbacks go to `callbackHosts` only, and payouts need the onboarding and a funded float, both in the portal.
   * Default: `sandbox`.
   */
  environment?: Environment
  /**
   * The name of the first merchant, which the customer sees on the hosted page and the phone. Default: `Sandbox Shop`.
   */
  merchantName?: string | undefined
  /** The first merchant's colour on the hosted page, as in "#0b6b4f". Default: that of the page. */
  merchantAccent?: string | undefined
  /**
   * The first merchant's square logo on the hosted page, as a `data:` or `https:` URL. Default: the initial of the
   * name.
   */
  merchantLogo?: string | undefined
}

export interface Sandbox {
  app: Hono
  timeline: Timeline
  /** A user of the portal with all rights. In production, the password is random. */
  owner: { email: string; password: string }
  /** The callback URLs in the merchant portal at the start and after a reset. */
  portal: PortalSettings
}

/**
 * Creates a sandbox that listens on no port. `app.request` sends requests to the sandbox in the same process.
 *
 * @example
 *   const sandbox = createSandbox({ seed: 1 })
 *   const response = await sandbox.app.request('/_sandbox/scenarios')
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  return openSandbox(options).sandbox
}

function openSandbox(options: SandboxOptions, file?: JournalFile) {
  const { timeline = createTimeline(), environment = 'sandbox', charges = 'spec', hosts = [] } = options
  const { callbackHosts = [], publicUrl } = options
  const portal = { ...options.portal }
  const seed = options.seed ?? file?.settings?.seed ?? anySeed()
  const random = createRandomness(`owner ${seed}`).hex(PASSWORD_DIGITS)
  const password = environment === 'sandbox' ? SEEDED_PASSWORD : random
  const users = seededUsers(environment, password)
  const [first, ...others] = SEEDED_MERCHANTS[environment]
  const { merchantName: name = first.name, merchantAccent: accent, merchantLogo: logo } = options
  const merchants = [{ ...first, name, accent, logo }, ...others] as const
  // The global `fetch` of the moment of the call, which a test may have replaced.
  const send: SandboxFetch = options.fetch ?? ((url, init) => fetch(url, init))
  const history = createHistory({
    timeline,
    settings: { seed, environment, charges },
    simulation: { merchants, fetch: send, users, environment, seed, callbackHosts, portal, charges },
    publicUrl: publicUrl?.replace(/\/$/, ''),
    file,
  })
  const ownHosts = publicUrl === undefined ? hosts : [...hosts, new URL(publicUrl).hostname]
  const app = new Hono().use(sendDate(timeline), requireKnownHost(ownHosts))
  if (environment === 'sandbox') {
    app.use('/_sandbox/*', refuseOtherSites).route('/_sandbox', history.routes)
  }

  app.all('*', (c) => history.fetch(c.req.raw, c.env))
  return { sandbox: { app, timeline, owner: { email: users[0]?.email ?? '', password }, portal }, history }
}

export interface StartOptions extends SandboxOptions {
  port?: number
  hostname?: string
  /** The path of a file that keeps the state when the process ends, however it ends. Default: none. */
  state?: string | undefined
}

export interface RunningSandbox extends Sandbox {
  url: string
  /** The variables of a server whose gateway this is, in sandbox. It needs `PUBLIC_URL` and a source of orders, too. */
  env: Record<string, string>
  /** Stops the server and cancels all scheduled tasks. */
  close(): Promise<void>
}

/**
 * Resolves with a sandbox that listens on `hostname` (default: 127.0.0.1) and `port` (default: 0, any free port).
 *
 * @throws {Error} The system's error of `listen`, if the port cannot be opened.
 * @throws {StateError} if the file of `state` cannot be used.
 * @example
 *   const sandbox = await startSandbox()
 */
export async function startSandbox(options: StartOptions = {}): Promise<RunningSandbox> {
  const { port = 0, hostname = '127.0.0.1', hosts = [], state } = options
  const file = state === undefined ? undefined : openJournalFile(state)
  const { sandbox, history } = openSandbox({ ...options, hosts: [...hosts, hostname] }, file)
  await history.continueFromFile()
  const server = await listen(sandbox.app, port, hostname)
  const env = {
    GATEWAY_ENVIRONMENT: 'sandbox',
    GATEWAY_BASE_URL: server.url,
    GATEWAY_CONSUMER_KEY: SANDBOX_KEY.consumerKey,
    GATEWAY_CONSUMER_SECRET: SANDBOX_KEY.consumerSecret,
    GATEWAY_SERVICE_CODE: pairsOf(
      checkoutServices(SANDBOX_SHOP).map(({ currency, code }) => [currency, code]),
    ),
    GATEWAY_ACCOUNT_NUMBER: pairsOf(SANDBOX_SHOP.accounts.map(({ currency, number }) => [currency, number])),
    DEFAULT_COUNTRY: 'KE',
    // Every charge in KES has a fee for this partner.
    PARTNER_ACCOUNTS_DYNAMIC: 'KES/PARTNER-FEES=25:Platform fee',
  }

  const close = async () => {
    sandbox.timeline.close()
    await server.close()
    file?.close()
  }

  return { ...sandbox, url: server.url, env, close }
}

/** Returns the services of a merchant that take checkouts from the beginning: one for each currency. */
function checkoutServices({ services }: Merchant): Service[] {
  return services.filter(({ use, isInitiallyOff }) => use === 'checkout' && !isInitiallyOff)
}

/** Returns the value of a variable that has one value for each currency: "KES=…,UGX=…". */
function pairsOf(values: readonly (readonly [currency: string, value: string])[]): string {
  return values.map(([currency, value]) => `${currency}=${value}`).join(',')
}
