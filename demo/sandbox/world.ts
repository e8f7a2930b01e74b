/** Everything that the sandbox remembers. A reset puts a fresh one in its place. */

import { createAgenda } from './timeline/clock.ts'
import { createDeliveries } from './callbacks/deliveries.ts'
import { createFaults } from './wire/faults.ts'
import { createExchange } from './money/rates.ts'
import { createLedger } from './money/ledger.ts'
import { MERCHANT } from './merchant.ts'
import { fund } from './sessions/movements.ts'
import { createPortal } from './callbacks/portal.ts'
import { createRandomness } from './randomness.ts'
import { createRequestLog } from './wire/request-log.ts'
import type { Agenda } from './timeline/clock.ts'
import type { Airtime } from './airtime/recipient.ts'
import type { CheckoutSession } from './sessions/session.ts'
import type { Deliveries } from './callbacks/deliveries.ts'
import type { SandboxFetch } from './callbacks/post.ts'
import type { Faults } from './wire/faults.ts'
import type { Exchange } from './money/rates.ts'
import type { Ledger } from './money/ledger.ts'
import type { Payment } from './sessions/payment.ts'
import type { Payout } from './payouts/payout.ts'
import type { Portal, PortalSettings } from './callbacks/portal.ts'
import type { Randomness } from './randomness.ts'
import type { RequestLog } from './wire/request-log.ts'
import type { PayoutScenario } from './scenarios.ts'
import type { Timeline } from './timeline/timeline.ts'

export interface World {
  readonly agenda: Agenda
  readonly randomness: Randomness
  /** When each access token ends, in milliseconds since the Unix epoch, oldest first. */
  readonly tokens: Map<string, number>
  /** By `merchant_transaction_id`, and by `external_reference` of charges: one namespace. [assumed] */
  readonly checkouts: Map<string, CheckoutSession>
  /** By `checkout_reference`. */
  readonly checkoutsByReference: Map<string, CheckoutSession>
  /** Attempts to pay, by `transaction_id` of their records. */
  readonly paymentsById: Map<string, { session: CheckoutSession; payment: Payment }>
  /** By `payout_reference`: one namespace for local, international and B2B payouts. [assumed] */
  readonly payouts: Map<string, Payout>
  /** What the control interface wants of payouts that are still to come, by `payout_reference`. */
  readonly plans: Map<string, PayoutScenario>
  /** By `reference`. */
  readonly airtime: Map<string, Airtime>
  readonly portal: Portal
  readonly ledger: Ledger
  readonly exchange: Exchange
  readonly deliveries: Deliveries
  readonly requests: RequestLog
  readonly faults: Faults
}

export interface WorldOptions {
  timeline: Timeline
  fetch: SandboxFetch
  seed: number
  callbackHosts: readonly string[]
  /** What the merchant has set before the world begins. */
  portal: PortalSettings
}

/** A world that can be replaced while the routes that lead to it stay. */
export interface Stage {
  readonly timeline: Timeline
  world(): World
  /** The clock goes on and everything else begins again, chance included. */
  reset(): void
}

export function createStage(options: WorldOptions): Stage {
  let world = createWorld(options)
  return {
    timeline: options.timeline,
    world: () => world,
    reset() {
      world.agenda.close()
      world = createWorld(options)
    },
  }
}

function createWorld({ timeline, fetch, seed, callbackHosts, portal }: WorldOptions): World {
  const agenda = createAgenda(timeline)
  const randomness = createRandomness(seed)
  const faults = createFaults()
  const ledger = createLedger()
  ledger.post(fund(MERCHANT.accountNumber, MERCHANT.currency, MERCHANT.testFunds), agenda.now())
  return {
    agenda,
    randomness,
    tokens: new Map(),
    checkouts: new Map(),
    checkoutsByReference: new Map(),
    paymentsById: new Map(),
    payouts: new Map(),
    plans: new Map(),
    airtime: new Map(),
    portal: createPortal(portal),
    ledger,
    exchange: createExchange(seed),
    deliveries: createDeliveries({ agenda, randomness, fetch, callbackHosts, faults }),
    requests: createRequestLog(),
    faults,
  }
}
