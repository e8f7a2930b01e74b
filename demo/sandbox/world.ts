import { createDeliveries } from './callbacks/deliveries.ts'
import { createPortal } from './callbacks/portal.ts'
import { MERCHANT } from './merchant.ts'
import { createLedger, fund } from './money/ledger.ts'
import { createExchangeRates } from './money/rates.ts'
import { createRandomness } from './randomness.ts'
import { createClock } from './timeline/clock.ts'
import { createFaults } from './wire/faults.ts'
import { createRequestLog } from './wire/request-log.ts'
import { createTokens } from './wire/tokens.ts'
import type { Airtime } from './airtime/recipient.ts'
import type { Deliveries } from './callbacks/deliveries.ts'
import type { Portal, PortalSettings } from './callbacks/portal.ts'
import type { SandboxFetch } from './callbacks/post.ts'
import type { Ledger } from './money/ledger.ts'
import type { ExchangeRates } from './money/rates.ts'
import type { Payout } from './payouts/payout.ts'
import type { Randomness } from './randomness.ts'
import type { PayoutScenario } from './scenarios.ts'
import type { Payment } from './sessions/payment.ts'
import type { ChargeDialect, CheckoutSession } from './sessions/session.ts'
import type { Clock } from './timeline/clock.ts'
import type { Timeline } from './timeline/timeline.ts'
import type { Faults } from './wire/faults.ts'
import type { RequestLog } from './wire/request-log.ts'
import type { Tokens } from './wire/tokens.ts'

export interface World {
  readonly clock: Clock
  readonly randomness: Randomness
  readonly tokens: Tokens
  readonly sessions: Map<string, CheckoutSession>
  readonly sessionsByReference: Map<string, CheckoutSession>
  /** The sessions of charges, by `charge_request_id`. */
  readonly charges: Map<string, CheckoutSession>
  readonly paymentsById: Map<string, { session: CheckoutSession; payment: Payment }>
  // [assumed] A `payout_reference` is unique across all payout endpoints.
  readonly payouts: Map<string, Payout>
  /** The scenarios of future payouts, by `payout_reference`. Requests to `/_sandbox` set these scenarios. */
  readonly plannedScenarios: Map<string, PayoutScenario>
  readonly airtime: Map<string, Airtime>
  readonly portal: Portal
  readonly ledger: Ledger
  readonly exchangeRates: ExchangeRates
  readonly deliveries: Deliveries
  readonly requests: RequestLog
  readonly faults: Faults
}

export interface WorldOptions {
  timeline: Timeline
  fetch: SandboxFetch
  seed: number
  callbackHosts: readonly string[]
  portal: PortalSettings
  charges?: ChargeDialect | undefined
}

/**
 * Gives access to the current world: the complete state of the sandbox. Routes call `world()` for each request, because
 * `reset()` replaces the world.
 */
export interface Simulation {
  readonly timeline: Timeline
  readonly chargeDialect: ChargeDialect
  world(): World
  /** Replaces the world with a new world from the same seed. The virtual time does not change. */
  reset(): void
}

export function createSimulation(options: WorldOptions): Simulation {
  let world = createWorld(options)
  return {
    timeline: options.timeline,
    chargeDialect: options.charges ?? 'spec',
    world: () => world,
    reset() {
      world.clock.close()
      world = createWorld(options)
    },
  }
}

function createWorld({ timeline, fetch, seed, callbackHosts, portal }: WorldOptions): World {
  const clock = createClock(timeline)
  const randomness = createRandomness(seed)
  const faults = createFaults()
  const ledger = createLedger()
  ledger.post(fund(MERCHANT.accountNumber, MERCHANT.currency, MERCHANT.testFunds), clock.now())
  return {
    clock,
    randomness,
    tokens: createTokens(MERCHANT, clock, randomness),
    sessions: new Map(),
    sessionsByReference: new Map(),
    charges: new Map(),
    paymentsById: new Map(),
    payouts: new Map(),
    plannedScenarios: new Map(),
    airtime: new Map(),
    portal: createPortal(portal),
    ledger,
    exchangeRates: createExchangeRates(seed),
    deliveries: createDeliveries({ clock, randomness, fetch, callbackHosts, faults }),
    requests: createRequestLog(),
    faults,
  }
}
