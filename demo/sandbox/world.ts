import { compare } from '../../server/contract/decimal.ts'
import { createDeliveries } from './callbacks/deliveries.ts'
import { createPortal } from './callbacks/portal.ts'
import { createLedger, fund } from './money/ledger.ts'
import { createExchangeRates } from './money/rates.ts'
import { createOnboarding } from './onboarding.ts'
import { createSignIns } from './accounts/sign-ins.ts'
import { createUsers } from './accounts/users.ts'
import { createRandomness } from './randomness.ts'
import { createServices } from './services.ts'
import { createClock } from './timeline/clock.ts'
import { createFaults } from './wire/faults.ts'
import { createRequestLog } from './wire/request-log.ts'
import { createApiKeys } from './wire/api-keys.ts'
import { createTokens } from './wire/tokens.ts'
import type { Airtime } from './airtime/recipient.ts'
import type { Deliveries } from './callbacks/deliveries.ts'
import type { Portal, PortalSettings } from './callbacks/portal.ts'
import type { SandboxFetch } from './callbacks/post.ts'
import type { Environment } from './environment.ts'
import type { Merchant } from './merchant.ts'
import type { Ledger } from './money/ledger.ts'
import type { ExchangeRates } from './money/rates.ts'
import type { Payout } from './payouts/payout.ts'
import type { Onboarding } from './onboarding.ts'
import type { SignIns } from './accounts/sign-ins.ts'
import type { User, Users } from './accounts/users.ts'
import type { Randomness } from './randomness.ts'
import type { PayoutScenario } from './scenarios.ts'
import type { Payment } from './sessions/payment.ts'
import type { ChargeDialect, CheckoutSession } from './sessions/session.ts'
import type { Clock } from './timeline/clock.ts'
import type { Timeline } from './timeline/timeline.ts'
import type { Services } from './services.ts'
import type { CallbackHosts } from './wire/addresses.ts'
import type { Failure, Result } from './wire/failure.ts'
import type { Faults } from './wire/faults.ts'
import type { Fields } from './wire/fields.ts'
import type { RequestLog } from './wire/request-log.ts'
import type { ApiKeys } from './wire/api-keys.ts'
import type { AccessToken, Tokens } from './wire/tokens.ts'

export type { Environment } from './environment.ts'

/** What all merchants of a sandbox have in common. */
interface Surroundings {
  readonly environment: Environment
  readonly callbackHosts: CallbackHosts
  readonly clock: Clock
  readonly randomness: Randomness
  readonly exchangeRates: ExchangeRates
  readonly requests: RequestLog
  readonly faults: Faults
  readonly users: Users
  readonly signIns: SignIns
}

/** The state of one merchant: no other merchant's requests can read or change it. */
export interface World extends Surroundings {
  readonly merchant: Merchant
  readonly services: Services
  readonly keys: ApiKeys
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
  readonly onboarding: Onboarding
  readonly ledger: Ledger
  readonly deliveries: Deliveries
}

export interface SimulationOptions {
  merchants: readonly [Merchant, ...Merchant[]]
  timeline: Timeline
  fetch: SandboxFetch
  seed: number
  callbackHosts: readonly string[]
  /** The settings of the first merchant in the portal; the others begin without any. */
  portal: PortalSettings
  /** The users of the portal. */
  users: readonly User[]
  charges?: ChargeDialect | undefined
  environment?: Environment | undefined
}

/**
 * Gives access to the complete state of the sandbox. Routes call `world()` for each request, because `reset()` replaces
 * the state.
 */
export interface Simulation {
  readonly timeline: Timeline
  readonly chargeDialect: ChargeDialect
  readonly environment: Environment
  readonly merchants: readonly [Merchant, ...Merchant[]]
  /** Returns the current state of a merchant. Default: the first merchant. */
  world(merchant?: Merchant): World
  worlds(): readonly World[]
  /** Issues an access token to the merchant whose credentials `body` contains. [spec: Credentials and token] */
  authenticate(body: Fields): Result<AccessToken>
  /** Returns the merchant to whom an access token was issued. [spec: Authentication, 6] */
  authorize(token: string | undefined): Result<Merchant>
  /** Replaces the state of all merchants, from the same seed. The virtual time does not change. */
  reset(): void
}

export function createSimulation(options: SimulationOptions): Simulation {
  const { timeline, merchants } = options
  let worlds = createWorlds(options)
  const world = (merchant: Merchant = merchants[0]) => {
    const found = worlds.get(merchant)
    if (!found) throw new RangeError(`${merchant.name} is no merchant of this sandbox.`)
    return found
  }
  return {
    timeline,
    merchants,
    chargeDialect: options.charges ?? 'spec',
    environment: options.environment ?? 'sandbox',
    world,
    worlds: () => [...worlds.values()],
    authenticate: (body) => authenticate([...worlds.values()], body),
    authorize: (token) => authorize([...worlds.values()], token),
    reset() {
      world().clock.close()
      worlds = createWorlds(options)
    },
  }
}

function authenticate(worlds: readonly World[], body: Fields): Result<AccessToken> {
  let failure: Failure = { reason: 'credentials_wrong' }
  for (const { tokens } of worlds) {
    const result = tokens.authenticate(body)
    if ('value' in result) return result
    failure = result.failure
  }
  return { failure }
}

function authorize(worlds: readonly World[], token: string | undefined): Result<Merchant> {
  for (const { merchant, tokens } of worlds) {
    const failure = tokens.failureOf(token)
    if (failure === null) return { value: merchant }
    if (failure.reason !== 'token_unknown') return { failure }
  }
  return { failure: { reason: 'token_unknown' } }
}

function createWorlds(options: SimulationOptions): ReadonlyMap<Merchant, World> {
  const { merchants, timeline, environment = 'sandbox' } = options
  const seed = seedOf(options)
  const clock = createClock(timeline)
  const surroundings: Surroundings = {
    clock,
    environment,
    callbackHosts: { isLoopbackAllowed: environment === 'sandbox', named: options.callbackHosts },
    randomness: createRandomness(seed),
    exchangeRates: createExchangeRates(options.seed),
    requests: createRequestLog(),
    faults: createFaults(),
    // Own random values, so that visits to the portal do not change the ids of transactions.
    users: createUsers(options.users, createRandomness(`users ${seed}`), clock),
    signIns: createSignIns(clock, createRandomness(`portal ${seed}`)),
  }
  const worlds = merchants.map(
    (merchant) => [merchant, createWorld(merchant, surroundings, options)] as const,
  )
  return new Map(worlds)
}

function createWorld(merchant: Merchant, surroundings: Surroundings, options: SimulationOptions): World {
  const { merchants, fetch, portal } = options
  const { clock, randomness, faults, callbackHosts } = surroundings
  const isFirst = merchant === merchants[0]
  const keyRandomness = createRandomness(`keys ${seedOf(options)} ${merchant.clientCode}`)
  const keys = createApiKeys(merchant.keys, clock, keyRandomness)
  const ledger = createLedger()
  for (const { number, currency, testFunds } of merchant.accounts)
    if (compare(testFunds, '0') > 0) ledger.post(fund(number, currency, testFunds), clock.now())
  return {
    ...surroundings,
    merchant,
    services: createServices(merchant.services),
    keys,
    tokens: createTokens(keys, clock, randomness),
    sessions: new Map(),
    sessionsByReference: new Map(),
    charges: new Map(),
    paymentsById: new Map(),
    payouts: new Map(),
    plannedScenarios: new Map(),
    airtime: new Map(),
    portal: createPortal(isFirst ? portal : {}, callbackHosts),
    onboarding: createOnboarding(),
    ledger,
    deliveries: createDeliveries({ clock, randomness, fetch, callbackHosts, faults }),
  }
}

// Equal seeds give different tokens and ids in the two environments.
function seedOf({ seed, environment }: SimulationOptions): number | string {
  return environment === 'production' ? `production ${seed}` : seed
}
