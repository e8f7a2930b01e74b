/**
 * What the server is made of, put together: client, kinds, door, callbacks, workers. Knows no HTTP of its own.
 */

import type { SubmitAirtime } from './airtime/submit.ts'
import type { Receive } from './callbacks/receive.ts'
import type { ConfirmService } from './payins/confirm-service.ts'
import type { SubmitCharge } from './charges/submit.ts'
import type { Initiate } from './checkouts/initiate.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Fetch } from './exchange.ts'
import type { GatewayClient } from './gateway/client.ts'
import type { GatewayExchange } from './gateway/transport.ts'
import type { Log } from './log.ts'
import type { EventSink } from './outbox/deliver.ts'
import type { Submit } from './payouts/submit.ts'
import type { Randomness } from './randomness.ts'
import type { MerchantAccount, Store } from './store.ts'
import type { Synchronizer } from './transactions/synchronizer.ts'
import { createAirtimeKind } from './airtime/kind.ts'
import { createSubmitAirtime } from './airtime/submit.ts'
import { createPortalAddress } from './callbacks/portal-address.ts'
import { createReceive } from './callbacks/receive.ts'
import { createCallbackTokens } from './callbacks/token.ts'
import { createConfirmOnDelivery, createConfirmService } from './payins/confirm-service.ts'
import { createChargeKind } from './charges/kind.ts'
import { createSubmitCharge } from './charges/submit.ts'
import { createInitiate } from './checkouts/initiate.ts'
import { createCheckoutKind } from './checkouts/kind.ts'
import { createGatewayClient } from './gateway/client.ts'
import { createOutbox } from './outbox/deliver.ts'
import { createPayoutKind } from './payouts/kind.ts'
import { createSubmit } from './payouts/submit.ts'
import { CALLBACK_PATH } from './payouts/variants.ts'
import { createReconciliation } from './transactions/reconciliation.ts'
import { createSynchronizer } from './transactions/synchronizer.ts'
import { retryOnFailure, runWork } from './work-loop.ts'

interface EngineDeps {
  config: Config
  store: Store
  fetch: Fetch
  clock: Clock
  randomness: Randomness
  log: Log
  /** Deliver events to the merchant. */
  sinks: readonly EventSink[]
  /** How long the workers sleep at most when nothing seems due. */
  longestSleepMs: number
}

export interface Engine {
  /** Whose rows are touched. */
  account: MerchantAccount
  client: GatewayClient
  synchronizer: Synchronizer
  initiate: Initiate
  submit: Submit
  submitCharge: SubmitCharge
  confirmService: ConfirmService
  submitAirtime: SubmitAirtime
  /** Takes callbacks, by the part of their address that names the chapter of the spec. */
  receive: Readonly<Record<'checkout' | 'payouts' | 'b2b' | 'charges' | 'airtime', Receive>>
  /** Runs the workers (reconciliation and outbox) until the signal aborts. */
  work: (signal: AbortSignal) => Promise<void>
}

export function createEngine(deps: EngineDeps): Engine {
  const { config, store, fetch, clock, randomness, log, sinks, longestSleepMs } = deps
  const { publicUrl, gateway, callbackSecrets } = config
  const account = accountOf(config)

  const credentials = { consumer_key: gateway.consumerKey, consumer_secret: gateway.consumerSecret }
  const { baseUrl, fxBaseUrl, acknowledgeBaseUrl, pageHosts, serviceCodes } = gateway
  const addresses = { baseUrl, fxBaseUrl, acknowledgeBaseUrl, chargePath: config.charges?.path }
  const onExchange = (facts: GatewayExchange) => log.debug(facts, 'Exchange with the gateway')
  const client = createGatewayClient({ ...addresses, credentials, fetch, clock, randomness, onExchange })
  const kinds = {
    checkout: createCheckoutKind(client, pageHosts),
    payout: createPayoutKind(client),
    charge: createChargeKind(client),
    airtime: createAirtimeKind(client),
  }
  const prepare = () => client.authenticate()
  const newEventId = () => `evt_${randomness.token()}`
  const synchronizer = createSynchronizer({ store, account, kinds, prepare, clock, log, newEventId })

  const checkoutTokens = createCallbackTokens('checkout', callbackSecrets)
  const payoutTokens = createCallbackTokens('payout', callbackSecrets)
  const callbackUrl = (chapter: keyof Engine['receive'], token: string) =>
    `${publicUrl}/callbacks/${chapter}/${encodeURIComponent(token)}`

  const receiving = { store, account, log, synchronizer }
  const receivePayout = createReceive({
    ...receiving,
    kinds: ['payout'],
    tokens: payoutTokens,
    portalAddress: createPortalAddress('payouts', config),
  })
  const receiveCheckout = createReceive({ ...receiving, kinds: ['checkout'], tokens: checkoutTokens })
  const receiveCharge = createReceive({
    ...receiving,
    kinds: ['charge', 'checkout'],
    portalAddress: createPortalAddress('charges', config),
  })
  const receiveAirtime = createReceive({
    ...receiving,
    kinds: ['airtime'],
    portalAddress: createPortalAddress('airtime', config),
  })

  const sending = { store, account, synchronizer, clock, randomness }
  const initiate = createInitiate({
    ...sending,
    publicUrl,
    serviceCodes,
    chargeTerms: config.charges,
    expiresInMinutes: config.expiresInMinutes,
    country: config.country,
    callbackUrl: (reference) => callbackUrl('checkout', checkoutTokens.create(reference)),
  })
  const submit = createSubmit({
    ...sending,
    callbackUrl: (variant, reference) => callbackUrl(CALLBACK_PATH[variant], payoutTokens.create(reference)),
  })

  const submitCharge = createSubmitCharge({ ...sending, serviceCodes, terms: config.charges })
  const confirming = { store, account, synchronizer, kinds }

  const reconciliation = createReconciliation({ store, account, clock, synchronizer })
  const onDelivered = createConfirmOnDelivery(confirming)
  const outbox = createOutbox({ store, account, clock, log, randomness, sinks, onDelivered })
  const loop = { clock, log, longestSleepMs }
  let warnsWhenIdle = sinks.length > 0
  return {
    account,
    client,
    synchronizer,
    initiate: (...args) => {
      warnIfIdle()
      return initiate(...args)
    },
    submit,
    submitCharge,
    confirmService: createConfirmService(confirming),
    submitAirtime: createSubmitAirtime(sending),
    receive: {
      checkout: receiveCheckout,
      payouts: receivePayout,
      b2b: receivePayout,
      charges: receiveCharge,
      airtime: receiveAirtime,
    },
    work: async (signal) => {
      warnsWhenIdle = false
      await Promise.all([
        retryOnFailure(() => warnOfForeignRows(store, account, log), loop, signal),
        runWork(reconciliation, loop, signal),
        runWork(outbox, loop, signal),
      ])
    },
  }

  function warnIfIdle(): void {
    if (!warnsWhenIdle) return
    warnsWhenIdle = false
    log.warn({}, 'Events are stored but not delivered: nothing has called app.work(signal) yet.')
  }
}

/**
 * Rows of another environment, base URL or account are never touched, so that a sandbox's rows pay nobody under
 * production keys. The operator is told how many wait.
 */
async function warnOfForeignRows(store: Store, account: MerchantAccount, log: Log): Promise<void> {
  const waiting = await store.countWaitingElsewhere(account)
  if (waiting === 0) return
  const message =
    'The store holds transactions of another environment, address or account. They are left alone.'
  log.warn({ waiting, ...account }, message)
}

function accountOf({ environment, gateway }: Config): MerchantAccount {
  return { environment, base_url: gateway.baseUrl, account_number: gateway.accountNumber }
}
