/** Creates the server from its dependencies, and declares its routes. */

import { Hono } from 'hono'

import { refuse } from './api/refusal.ts'
import { describeHeld } from './config/charges.ts'
import { ConfigError } from './config/config-error.ts'
import { secretsOf } from './config/masked-texts.ts'
import { problemsAt, warningsAt } from './config/previous-secrets.ts'
import { describeProxy } from './config/proxy.ts'
import { createEngine } from './engine.ts'
import { createTraceHeaders } from './http/exchange.ts'
import { createMaskedFetch } from './http/masked-fetch.ts'
import { createPooledFetch } from './http/pooled-fetch.ts'
import { silentLog } from './log/log.ts'
import { identifySigned, signedOrders } from './orders/signed.ts'
import { ONE_SOURCE, ONLY_LINKS, ordersByFunction, ordersByUrl } from './orders/sources.ts'
import { deliverToHandler } from './outbox/handler.ts'
import { deliverToWebhook } from './outbox/webhook.ts'
import { CANNOT_DECRYPT, createSealer, withPersonal } from './privacy/personal.ts'
import { createLimiter } from './rate-limits/failed-requests.ts'
import { createClientNetwork } from './rate-limits/network.ts'
import { declareRecords, requireKey } from './routes/api.ts'
import { declareCallbacks } from './routes/callbacks.ts'
import { declareDocs } from './routes/docs.ts'
import { declareFailures } from './routes/failure.ts'
import { corsHeaders, securityHeaders, withoutHsts } from './routes/headers.ts'
import { declareHealth } from './routes/health.ts'
import { countRequests } from './routes/matched-route.ts'
import { isBelowPath, routePathOf, warnOfOtherHost } from './routes/public-url.ts'
import { widgetRoutes } from './routes/widget-files.ts'
import { accountOf } from './store/merchant.ts'
import { createStoreCheck, createOutageLog } from './store/readiness.ts'
import { namesOf } from './transactions/log-names.ts'
import { systemClock } from './work/clock.ts'
import { systemRandomness } from './work/randomness.ts'

import type { Config } from './config/config.ts'
import type { Fetch } from './http/exchange.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { FindOrder, Found } from './orders/sources.ts'
import type { OnEvent } from './outbox/handler.ts'
import type { Feature, OwnOrders } from './routes/feature.ts'
import type { RouteDeps } from './routes/route.ts'
import type { OrderMark } from './store/order-marks.ts'
import type { Store } from './store/store.ts'
import type { LoadKind } from './transactions/kinds.ts'
import type { Clock } from './work/clock.ts'
import type { Randomness } from './work/randomness.ts'

export interface AppOptions<Given extends Found = Found> {
  /** The result of `readConfig`. */
  config: Config
  /** The result of `openStore`. */
  store: Store
  /**
   * Finds an order by its reference. Must be absent if ORDERS_URL or a key for signed orders is configured. Without
   * any of them, only reusable links are paid.
   */
  orders?: FindOrder<Given>
  /** Receives every event at least once. A configured webhook also receives every event. */
  onEvent?: OnEvent
  /** Sends requests to the gateway, the webhook and ORDERS_URL. Default: `fetch` over pooled connections. */
  fetch?: Fetch
  /** Default: the system clock. */
  clock?: Clock
  /** Default: the system's randomness. */
  randomness?: Randomness
  /** Logger, for example a pino logger. Default: no logging. */
  log?: Log
  /** Receives the server's measurements. Pass the result of `createMetrics`. Default: no metrics. */
  metrics?: Metrics | undefined
  /**
   * The longest time for which the workers sleep before they look for due queries and deliveries again, in
   * milliseconds. Default: 60,000.
   */
  longestSleepMs?: number
}

/** What the server does. */
export interface Features {
  features: readonly Feature[]
  /** Loads the kind of a transaction that was created by a feature that is not in the list. */
  loadKind: LoadKind
}

export type App = Hono & {
  /**
   * Runs the workers until the signal aborts. The workers query the gateway (reconciliation), deliver events, and prune
   * old transactions (retention). The abort also closes the event streams of all pages.
   */
  work(signal: AbortSignal): Promise<void>
}

const LONGEST_SLEEP_MS = 60_000
const IDLE = 'Events are stored but not delivered: nothing has called app.work(signal) yet.'
const REHEARSAL = 'GATEWAY_REHEARSAL is set: the gateway may be a look-alike, and no payment is real.'

/**
 * Creates the server with a list of features. `every-feature.ts` has the server with all of them, which the package exports.
 *
 * @throws {ConfigError} if a secret is said to be replaced on a day that lies ahead.
 * @throws {Error} if the features and the sources of orders do not fit, see {@link problemOfOrders}.
 */
export function createAppWith<Given extends Found>(
  { features, loadKind }: Features,
  options: AppOptions<Given>,
): App {
  const { config, clock = systemClock, metrics } = options
  const problems = problemsAt(config, clock.now())
  if (problems.length > 0) {
    throw new ConfigError(problems)
  }

  const fetch = createMaskedFetch(options.fetch ?? createPooledFetch(config), secretsOf(config))
  const { randomness = systemRandomness, longestSleepMs = LONGEST_SLEEP_MS } = options
  const sealer = createSealer(config.sealingSecrets, randomness)
  const store = withPersonal(options.store, sealer, (row) => log.error(namesOf(row), CANNOT_DECRYPT))
  const checkStore = createStoreCheck(store, clock)
  const { log, storeResponded } = createOutageLog(options.log ?? silentLog, clock, checkStore)
  if (config.proxy) {
    log.info({}, describeProxy(config.proxy))
  }
  if (config.isRehearsal) {
    log.warn({}, REHEARSAL)
  }

  for (const { text } of warningsAt(config, clock.now())) {
    log.warn({}, text)
  }

  const problem = problemOfOrders(features, config.orders !== null, options.orders !== undefined)
  if (problem !== null) {
    throw new Error(problem)
  }

  const needsOrderSource = features.some((feature) => feature.needsOrderSource)
  if (needsOrderSource && !config.orders && !options.orders) {
    log.warn({}, ONLY_LINKS)
  }

  const sending = { fetch, clock, traceHeaders: createTraceHeaders(randomness) }
  const destinations = [
    ...(options.onEvent ? [deliverToHandler(options.onEvent, clock)] : []),
    ...(config.webhook ? [deliverToWebhook({ ...config.webhook, ...sending })] : []),
  ]
  const held = destinations.length === 0 ? describeHeld(config) : null
  if (held !== null) {
    log.info({}, `Neither onEvent nor MERCHANT_WEBHOOK_URL is set. ${held}`)
  }

  const shared = { config, store, clock, randomness, log, metrics }
  const engine = createEngine({
    ...shared,
    features,
    loadKind,
    sealer,
    fetch,
    destinations,
    longestSleepMs,
    storeResponded,
  })
  const stopping = new AbortController()
  let warnsWhenIdle = destinations.length > 0

  const app = new Hono({ getPath: routePathOf(config.publicUrl) })
  declareRoutes(app, features, {
    ...shared,
    ...engine,
    ...withOwnOrders(chooseOrders(options, { ...engine, fetch, clock }), features, { ...shared, ...engine }),
    checkStore,
    limiter: createLimiter({ clock, log, metrics }),
    clientNetwork: createClientNetwork(config, log),
    stopping: stopping.signal,
    warnIfIdle() {
      if (warnsWhenIdle) {
        log.warn({}, IDLE)
      }

      warnsWhenIdle = false
    },
  })
  return Object.assign(app, { work })

  function work(signal: AbortSignal): Promise<void> {
    warnsWhenIdle = false
    signal.addEventListener('abort', () => stopping.abort())
    return engine.work(signal)
  }
}

/** Declares the routes. What is declared first runs first. */
function declareRoutes(
  app: Hono,
  features: readonly Feature[],
  deps: RouteDeps & { admit: () => Promise<void> },
): void {
  const { config, log, metrics } = deps
  // HSTS of a server below a path would be that of the shop.
  if (isBelowPath(config.publicUrl)) {
    app.use(withoutHsts)
  }
  if (metrics) {
    app.use(countRequests(metrics))
  }

  for (const path of ['/checkout/*', '/pay/*', '/link/*', '/callbacks/*', '/api/*', '/health/ready']) {
    app.use(path, async (_, next) => {
      await deps.admit()
      await next()
    })
  }

  for (const path of ['/checkout/initiate', '/callbacks/*']) {
    app.use(path, warnOfOtherHost(config.publicUrl, log))
  }

  for (const feature of features) {
    feature.frequentRoutes?.(app, deps)
  }

  app.use(securityHeaders)
  app.use('/checkout/*', corsHeaders(config.allowedOrigins))
  app.use('/api/*', requireKey(deps))
  for (const feature of features) {
    feature.routes(app, deps)
  }

  declareRecords(app, deps)
  declareCallbacks(app, deps)
  declareHealth(app, deps)
  declareDocs(app, config, features)
  app.route('/', widgetRoutes())
  declareFailures(app, deps)
}

/**
 * Returns what is wrong with the sources of orders, as a sentence; `null` if nothing is. A feature that makes orders is
 * a source: a merchant with nothing but links has no other.
 */
export function problemOfOrders(
  features: readonly Feature[],
  isConfigured: boolean,
  isFunction: boolean,
): string | null {
  const maker = features.find(({ ownOrders }) => ownOrders)
  if (features.some(({ needsOrderSource }) => needsOrderSource)) {
    const hasBoth = isConfigured && isFunction
    const hasNone = !isConfigured && !isFunction && !maker
    return hasBoth || hasNone ? ONE_SOURCE : null
  }
  if (maker) {
    return `The feature "${maker.name}" makes orders, which the feature "checkouts" lets shoppers pay: add it.`
  }
  return isFunction ? NO_FEATURE_TAKES_ORDERS : null
}

const NO_FEATURE_TAKES_ORDERS =
  'The function "orders" is read by the feature "checkouts", which this server does not have: leave it out, or add the feature.'

const NO_SOURCE = refuse('order_unknown', ONLY_LINKS)

type OrderSource = Pick<RouteDeps, 'resolveOrder' | 'identifyOrder'>

function chooseOrders(
  { config, store, orders }: AppOptions,
  { fetch, clock, fingerprints }: Pick<RouteDeps, 'clock' | 'fingerprints'> & { fetch: Fetch },
): OrderSource {
  const source = config.orders
  if (!source) {
    const resolveOrder = orders ? ordersByFunction(orders, clock) : async () => NO_SOURCE
    return { resolveOrder, identifyOrder: null }
  }

  switch (source.kind) {
    case 'url':
      return { resolveOrder: ordersByUrl({ ...source, fetch, clock }), identifyOrder: null }
    case 'signed': {
      const rules = { ...source, audience: config.publicUrl, clock }
      const markOrder = (order: string, mark: OrderMark) => store.markOrder(accountOf(config), order, mark)
      return {
        resolveOrder: signedOrders({ ...rules, markOrder, fingerprints }),
        identifyOrder: identifySigned(rules),
      }
    }
  }
}

/** Returns a source that first looks up the orders that features make themselves. */
function withOwnOrders(
  { resolveOrder, identifyOrder }: OrderSource,
  features: readonly Feature[],
  deps: Parameters<OwnOrders['resolve']>[0],
): OrderSource {
  const sources = features.map(({ ownOrders }) => ownOrders).filter((orders) => orders !== undefined)
  const ownerOf = (text: string) => sources.find((orders) => orders.isOwn(text))
  return {
    resolveOrder: async (text) => ownerOf(text)?.resolve(deps, text) ?? resolveOrder(text),
    identifyOrder: identifyOrder && (async (text) => (ownerOf(text) ? text : identifyOrder(text))),
  }
}
