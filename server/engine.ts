/**
 * Builds the server from its parts: gateway client, kinds, synchronizer, callbacks, workers. Contains no HTTP routes.
 */

import type { Receive } from './callbacks/receive.ts'
import type { Sealer } from './payins/payer.ts'
import type { Initiate } from './checkouts/initiate.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Fetch } from './exchange.ts'
import type { Fingerprints } from './fingerprints.ts'
import type { GatewayClient } from './gateway/client.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { EventSink } from './outbox/deliver.ts'
import type { Randomness } from './randomness.ts'
import type { MerchantAccount, OutboxEvent, Store } from './store.ts'
import type { Masks } from './transactions/masking.ts'
import { createAirtimeKind } from './airtime/kind.ts'
import { createMaskAirtime } from './airtime/mask.ts'
import { createSubmitAirtime } from './airtime/submit.ts'
import { createPortalAddress } from './callbacks/portal-address.ts'
import { createReceive } from './callbacks/receive.ts'
import { createCallbackTokens } from './callbacks/token.ts'
import { confirmOnDelivery } from './payins/confirm-service.ts'
import { createMaskPayIn } from './payins/mask.ts'
import { createSealer } from './payins/payer.ts'
import { createChargeKind } from './charges/kind.ts'
import { readCharge } from './charges/record.ts'
import { createSubmitCharge } from './charges/submit.ts'
import { createInitiate } from './checkouts/initiate.ts'
import { createCheckoutKind } from './checkouts/kind.ts'
import { readCheckout } from './checkouts/record.ts'
import { createFingerprints } from './fingerprints.ts'
import { createGatewayClient } from './gateway/client.ts'
import { QueryQueue } from './gateway/query-queue.ts'
import { createOutbox } from './outbox/deliver.ts'
import { createPayoutKind } from './payouts/kind.ts'
import { createMaskPayout } from './payouts/mask.ts'
import { createSubmitPayout } from './payouts/submit.ts'
import { CALLBACK_PATH } from './payouts/variants.ts'
import { accountOf, admitMerchant, warnOfOtherAccounts } from './merchant.ts'
import { runRetention } from './transactions/retention.ts'
import { createReconciliation } from './transactions/reconciliation.ts'
import { Synchronizer } from './transactions/synchronizer.ts'
import { retryOnFailure, runWork } from './work-loop.ts'

interface EngineDeps {
  config: Config
  store: Store
  fetch: Fetch
  clock: Clock
  randomness: Randomness
  log: Log
  metrics: Metrics
  /** The destinations of events. An event is delivered when every sink has accepted the event. */
  sinks: readonly EventSink[]
  /** The maximum time between two searches for due rows, in milliseconds. */
  longestSleepMs: number
  /** Called after each successful search for due rows. */
  storeResponded: () => void
}

export type Engine = ReturnType<typeof createEngine>

export function createEngine(deps: EngineDeps) {
  const { config, store, clock, randomness, log, sinks, longestSleepMs } = deps
  const account = accountOf(config)
  const queries = new QueryQueue({ clock, log, perSecond: config.gateway.maxRps })
  const client = createClient(deps, queries)
  const sealer = createSealer(config.sealingSecrets, randomness)
  const fingerprints = createFingerprints(config.sealingSecrets)
  const kinds = {
    checkout: createCheckoutKind(client, config.gateway, sealer),
    payout: createPayoutKind(client, fingerprints),
    charge: createChargeKind(client, sealer, config.gateway.serviceCodes),
    airtime: createAirtimeKind(client, fingerprints),
  }
  const newEventId = () => `evt_${randomness.token()}`
  const synchronizer = new Synchronizer({ ...deps, account, kinds, client, queries, newEventId })

  const onDelivered = (event: OutboxEvent) =>
    confirmOnDelivery({ store, account, synchronizer, kinds }, event)
  const reconciliation = createReconciliation({ store, account, clock, log, queries, synchronizer })
  const outbox = createOutbox({ ...deps, account, onDelivered })
  const loop = { clock, log, longestSleepMs, storeResponded: deps.storeResponded }
  const retention = { store, account, clock, log, kinds, fingerprints, masks: createMasks(fingerprints) }
  const submissions = createSubmissions(deps, account, synchronizer, { client, sealer, fingerprints })
  let admission: Promise<void> | null = null
  const admit = () =>
    (admission ??= admitMerchant(store, config).catch((error: unknown) => {
      admission = null
      throw error
    }))
  let warnsWhenIdle = sinks.length > 0

  return {
    /** The merchant account whose transactions this server processes. */
    account,
    /** Rejects if the store has the transactions of another merchant, or cannot be used. Reads it until it succeeds. */
    admit,
    client,
    fingerprints,
    /** The queue of status queries. The queue also detects which of them the gateway answers. */
    queries,
    synchronizer,
    kinds,
    ...submissions,
    initiate: ((...args) => {
      if (warnsWhenIdle)
        log.warn({}, 'Events are stored but not delivered: nothing has called app.work(signal) yet.')
      warnsWhenIdle = false
      return submissions.initiate(...args)
    }) satisfies Initiate,
    /** Callback handlers, by the path segment after `/callbacks/`. */
    receive: createReceivers(deps, account, synchronizer),
    /**
     * Runs the workers for status queries, deliveries and pruning until the signal aborts. If the store holds the
     * transactions of another merchant, the workers wait until they are adopted.
     */
    async work(signal: AbortSignal): Promise<void> {
      warnsWhenIdle = false
      signal.addEventListener('abort', () => queries.stop())
      await retryOnFailure(admit, loop, signal)
      await Promise.all([
        retryOnFailure(() => warnOfOtherAccounts(store, account, log), loop, signal),
        runWork(reconciliation, loop, signal),
        runRetention({ ...retention, retentionDays: config.retentionDays }, signal),
        ...outbox.map((queue) => runWork(queue, loop, signal)),
      ])
    },
  }
}

function createClient(
  { config, fetch, clock, randomness, log, metrics }: EngineDeps,
  queries: QueryQueue,
): GatewayClient {
  const { baseUrl, fxBaseUrl, acknowledgeBaseUrl, consumerKey, consumerSecret } = config.gateway
  return createGatewayClient({
    baseUrl,
    fxBaseUrl,
    acknowledgeBaseUrl,
    chargePath: config.charges?.path,
    chargeStatusPath: config.charges?.statusPath,
    credentials: { consumer_key: consumerKey, consumer_secret: consumerSecret.reveal() },
    fetch,
    clock,
    randomness,
    onAttempt: (attempt) => queries.attempt(attempt),
    onExchange(facts, endpoint) {
      metrics.exchange(facts)
      log.debug(facts, 'Exchange with the gateway')
      queries.report(endpoint, facts.code)
      metrics.breaker('gateway', queries.probeAt !== null)
    },
  })
}

function createSubmissions(
  { config, store, clock, randomness, metrics }: EngineDeps,
  account: MerchantAccount,
  synchronizer: Synchronizer,
  { client, sealer, fingerprints }: { client: GatewayClient; sealer: Sealer; fingerprints: Fingerprints },
) {
  const { publicUrl, callbackSecrets, charges, expiresInMinutes } = config
  const { serviceCodes, accountNumbers } = config.gateway
  const checkoutTokens = createCallbackTokens('checkout', callbackSecrets)
  const payoutTokens = createCallbackTokens('payout', callbackSecrets)
  const callbackUrl = (chapter: keyof Receivers, token: string) =>
    `${publicUrl}/callbacks/${chapter}/${encodeURIComponent(token)}`
  const shared = { store, account, synchronizer, clock, randomness, fingerprints }
  return {
    initiate: createInitiate({
      ...shared,
      metrics,
      client,
      sealer,
      publicUrl,
      serviceCodes,
      accountNumbers,
      chargeTerms: charges,
      expiresInMinutes,
      callbackUrl: (reference) => callbackUrl('checkout', checkoutTokens.create(reference)),
    }),
    submitPayout: createSubmitPayout({
      ...shared,
      callbackUrl: (variant, reference) =>
        callbackUrl(CALLBACK_PATH[variant], payoutTokens.create(reference)),
    }),
    submitCharge: createSubmitCharge({ ...shared, sealer, serviceCodes, accountNumbers, terms: charges }),
    submitAirtime: createSubmitAirtime(shared),
  }
}

type Receivers = Readonly<Record<'checkout' | 'payouts' | 'b2b' | 'charges' | 'airtime', Receive>>

function createReceivers(
  { config, store }: EngineDeps,
  account: MerchantAccount,
  synchronizer: Synchronizer,
): Receivers {
  const { callbackSecrets } = config
  const shared = { store, account, synchronizer }
  const payouts = createReceive({
    ...shared,
    kinds: ['payout'],
    tokens: createCallbackTokens('payout', callbackSecrets),
    portalAddress: createPortalAddress('payouts', config),
  })
  return {
    checkout: createReceive({
      ...shared,
      kinds: ['checkout'],
      tokens: createCallbackTokens('checkout', callbackSecrets),
    }),
    payouts,
    b2b: payouts,
    charges: createReceive({
      ...shared,
      kinds: ['charge', 'checkout'],
      portalAddress: createPortalAddress('charges', config),
    }),
    airtime: createReceive({
      ...shared,
      kinds: ['airtime'],
      portalAddress: createPortalAddress('airtime', config),
    }),
  }
}

/** Returns the functions that mask personal data in transactions. */
export function createMasks(fingerprints: Fingerprints): Masks {
  return {
    checkout: createMaskPayIn(readCheckout),
    payout: createMaskPayout(fingerprints),
    charge: createMaskPayIn(readCharge),
    airtime: createMaskAirtime(fingerprints),
  }
}
