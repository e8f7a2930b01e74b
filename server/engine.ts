/**
 * Builds the server from its parts: gateway client, sender, synchronizer, callbacks, workers, and the kinds of its
 * features.
 * Contains no HTTP routes.
 */

import { createGatewayClient } from './gateway/client.ts'
import { createSkewWatch } from './gateway/gateway-clock.ts'
import { QueryQueue } from './gateway/query-queue.ts'
import { Deliveries } from './outbox/deliver.ts'
import { takeDecisionOnDelivery } from './payins/merchant-decision.ts'
import { createFingerprints } from './privacy/personal.ts'
import { accountOf, createAdmission, warnOfOtherAccounts } from './store/merchant.ts'
import { Callbacks } from './transactions/callbacks.ts'
import { Commits } from './transactions/commits.ts'
import { Kinds, withKinds } from './transactions/kinds.ts'
import { createReconciliation } from './transactions/reconciliation.ts'
import { runRetention } from './transactions/retention.ts'
import { Sender } from './transactions/sender.ts'
import { Synchronizer } from './transactions/synchronizer.ts'
import { retryOnFailure, runWork } from './work/work-loop.ts'
import { createZone } from './work/zone.ts'

import type { Chapter } from './api/kind-table.ts'
import type { Config } from './config/config.ts'
import type { GatewayClient } from './gateway/client.ts'
import type { Fetch } from './http/exchange.ts'
import type { Log } from './log/log.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { Deliver } from './outbox/deliver.ts'
import type { Sealer } from './privacy/personal.ts'
import type { Store } from './store/store.ts'
import type { Extension, ExtensionDeps } from './transactions/extension.ts'
import type { LoadKind, OwnKind } from './transactions/kinds.ts'
import type { Clock } from './work/clock.ts'
import type { Randomness } from './work/randomness.ts'

/** What the engine has to know of a feature. */
interface EngineFeature {
  /** The transactions of the feature; absent if it has none of its own. */
  kind?: OwnKind
  /** The chapters of the gateway's callbacks that the feature receives. */
  callbacks: readonly Chapter[]
  extend?(deps: ExtensionDeps): Extension
}

export interface EngineDeps {
  features: readonly EngineFeature[]
  /** Loads a kind that is not one of the features. */
  loadKind: LoadKind
  config: Config
  /** The store of whole records (`privacy/personal.ts`), whose personal data `sealer` encrypts. */
  store: Store
  sealer: Sealer
  fetch: Fetch
  clock: Clock
  randomness: Randomness
  log: Log
  metrics: Metrics | undefined
  /** One for `onEvent` and one for the webhook, if set. Without any, events end as `no_receiver`. */
  destinations: readonly Deliver[]
  /** The maximum time between two searches for due rows, in milliseconds. */
  longestSleepMs: number
  /** Called after each successful search for due rows. */
  storeResponded: () => void
}

export function createEngine(given: EngineDeps) {
  const { features, config, sealer, clock, log, longestSleepMs } = given
  const featureKinds = features.map(({ kind }) => kind).filter((kind) => kind !== undefined)
  const kinds = new Kinds(featureKinds, given.loadKind)
  const account = accountOf(config)
  const fingerprints = createFingerprints(config.sealingSecrets)
  const extensions: Extension[] = []
  let store = withKinds(given.store, kinds)
  for (const feature of features) {
    const extension = feature.extend?.({ ...given, store, account, kinds, fingerprints })
    if (extension) {
      extensions.push(extension)
      store = extension.store
    }
  }

  const deps = { ...given, store }
  const queries = new QueryQueue({ clock, log, metrics: deps.metrics, perSecond: config.gateway.maxRps })
  const client = createClient(deps, queries)
  const zone = config.timeZone === null ? null : createZone(config.timeZone)
  const transactionDeps = { ...deps, account, kinds, client, queries, fingerprints, zone }
  const commits = new Commits(transactionDeps)
  const sender = new Sender(transactionDeps, commits)
  const synchronizer = new Synchronizer(transactionDeps, commits, sender)
  const chapters = features.flatMap(({ callbacks: received }) => received)
  const callbacks = new Callbacks({ config, store, account, synchronizer, kinds, log, chapters })
  const core = {
    store,
    account,
    client,
    queries,
    fingerprints,
    sealer,
    kinds,
    sender,
    synchronizer,
    callbacks,
  }
  const loop = { clock, log, longestSleepMs, storeResponded: deps.storeResponded }
  const reconciliation = createReconciliation({ ...deps, ...core })
  const deliveries = new Deliveries({
    ...deps,
    account,
    onDelivered: (event) => takeDecisionOnDelivery(core, event),
  })
  const { retentionDays } = config
  const admit = createAdmission(store, config)

  return {
    ...core,
    /** Rejects if the store has the transactions of another merchant, or cannot be used. Reads it until it succeeds. */
    admit,
    /**
     * Runs the workers for status queries, deliveries and pruning until the signal aborts. If the store holds the
     * transactions of another merchant, the workers wait until they are adopted.
     */
    async work(signal: AbortSignal): Promise<void> {
      signal.addEventListener('abort', () => queries.stop())
      await retryOnFailure(admit, loop, signal)
      await Promise.all([
        retryOnFailure(() => warnOfOtherAccounts(store, account, log), loop, signal),
        runWork(reconciliation, loop, signal),
        runRetention({ ...deps, ...core, retentionDays }, signal),
        runWork(deliveries.worker('events'), loop, signal),
        runWork(deliveries.worker('retries'), loop, signal),
        ...extensions.map((extension) => extension.work(loop, signal)),
      ])
    },
  }
}

function createClient(deps: EngineDeps, queries: QueryQueue): GatewayClient {
  const { config, fetch, clock, randomness } = deps
  const { consumerKey, consumerSecret, ...urls } = config.gateway
  const watchSkew = createSkewWatch(deps)
  return createGatewayClient({
    ...urls,
    chargePath: config.charges?.path,
    chargeStatusPath: config.charges?.statusPath,
    credentials: { consumer_key: consumerKey, consumer_secret: consumerSecret.reveal() },
    fetch,
    clock,
    randomness,
    onAttempt: queries.onAttempt,
    onExchange: (facts, endpoint) => {
      queries.onExchange(facts, endpoint)
      watchSkew(facts)
    },
  })
}
