// The state of the sandbox: a world for each merchant, and what all worlds have in common.

import { compare } from '../../server/contract/decimal.ts'
import { createDeliveries } from './callbacks/deliveries.ts'
import { createPortalAddresses } from './callbacks/portal-addresses.ts'
import { createTokens } from './credentials/access-tokens.ts'
import { createApiKeys } from './credentials/api-keys.ts'
import { Failure } from './errors/failure.ts'
import { createFaults } from './faults.ts'
import { createRequestLog } from './http/request-log.ts'
import { createServices } from './merchants/merchant.ts'
import { createOnboarding } from './merchants/onboarding.ts'
import { createLedger, fund } from './money/ledger.ts'
import { createExchangeRates } from './money/rates.ts'
import { createRandomness } from './randomness.ts'
import { createSignIns } from './users/sign-ins.ts'
import { createUsers } from './users/users.ts'

import type { SandboxFetch } from './callbacks/deliveries.ts'
import type { PortalSettings } from './callbacks/portal-addresses.ts'
import type { Environment } from './environment.ts'
import type { Result } from './errors/failure.ts'
import type { Fields } from './http/request-body.ts'
import type { Clock } from './journal/state-clock.ts'
import type { Merchant } from './merchants/merchant.ts'
import type { Airtime } from './money-out/airtime-recipient.ts'
import type { Payout } from './money-out/payout.ts'
import type { ScenarioOf } from './scenarios.ts'
import type { Payment } from './sessions/payment.ts'
import type { ChargeDialect, CheckoutSession } from './sessions/session.ts'
import type { User } from './users/users.ts'

export interface SimulationOptions {
  merchants: readonly [Merchant, ...Merchant[]]
  clock: Clock
  fetch: SandboxFetch
  seed: number
  callbackHosts: readonly string[]
  /** The callback URLs of the first merchant in the portal; the others begin without any. */
  portal: PortalSettings
  /** The users of the portal. */
  users: readonly User[]
  charges: ChargeDialect
  environment: Environment
}

/** The complete state of the sandbox. */
export type Simulation = ReturnType<typeof createSimulation>

export function createSimulation(options: SimulationOptions) {
  const { clock, merchants, charges, environment } = options
  const surroundings = createSurroundings(options)
  const worlds = merchants.map((merchant) => createWorld(merchant, surroundings, options))

  /** Returns the state of a merchant. Default: the first merchant. */
  const world = (merchant: Merchant = merchants[0]): World => {
    const match = worlds.find((each) => each.merchant === merchant)
    if (!match) {
      throw new RangeError(`${merchant.name} is no merchant of this sandbox.`)
    }
    return match
  }

  return {
    clock,
    merchants,
    chargeDialect: charges,
    environment,
    world,
    worlds: (): readonly World[] => worlds,
    /** Issues an access token to the merchant whose credentials `body` contains. [spec: Credentials and token] */
    authenticate(body: Fields) {
      const results = worlds.map(({ tokens }) => tokens.authenticate(body))
      // All merchants refuse with the same words.
      return results.find((result) => !(result instanceof Failure)) ?? world().tokens.authenticate(body)
    },
    /** Returns the state of the merchant to whom an access token was issued. [spec: Authentication, 6] */
    authorize(token: string | undefined): Result<World> {
      for (const each of worlds) {
        const failure = each.tokens.failureOf(token)
        if (failure === null) {
          return each
        }
        if (failure.reason !== 'token_unknown') {
          return failure
        }
      }

      return new Failure('token_unknown', 'The access token is not valid.')
    },
  }
}

// Equal seeds give different tokens and ids in the two environments.
function seedOf({ seed, environment }: SimulationOptions): number | string {
  return environment === 'production' ? `production ${seed}` : seed
}

type Surroundings = ReturnType<typeof createSurroundings>

/** Creates what all merchants of a sandbox have in common. */
function createSurroundings(options: SimulationOptions) {
  const { clock, environment, users } = options
  const seed = seedOf(options)
  return {
    clock,
    environment,
    callbackHosts: { isLoopbackAllowed: environment === 'sandbox', named: options.callbackHosts },
    randomness: createRandomness(seed),
    exchangeRates: createExchangeRates(options.seed),
    requests: createRequestLog(),
    faults: createFaults(),
    // Own random values, so that visits to the portal do not change the ids of transactions.
    users: createUsers(users, createRandomness(`users ${seed}`), clock),
    signIns: createSignIns(clock, createRandomness(`portal ${seed}`)),
  }
}

/** The state of one merchant: no other merchant's requests can read or change it. */
export type World = ReturnType<typeof createWorld>

function createWorld(merchant: Merchant, surroundings: Surroundings, options: SimulationOptions) {
  const { merchants, fetch, portal } = options
  const { clock, randomness, faults, callbackHosts } = surroundings
  // Own random values, so that new keys do not change the ids of transactions.
  const keyRandomness = createRandomness(`keys ${seedOf(options)} ${merchant.clientCode}`)
  const keys = createApiKeys(merchant.keys, clock, keyRandomness)
  const ledger = createLedger()
  for (const { number, currency, testFunds } of merchant.accounts) {
    if (compare(testFunds, '0') > 0) {
      ledger.post(fund(number, currency, testFunds), clock.now())
    }
  }

  return {
    ...surroundings,
    merchant,
    services: createServices(merchant.services),
    keys,
    tokens: createTokens(keys, clock, randomness),
    sessions: new Map<string, CheckoutSession>(),
    sessionsByReference: new Map<string, CheckoutSession>(),
    /** The sessions of charges, by `charge_request_id`. */
    charges: new Map<string, CheckoutSession>(),
    paymentsById: new Map<string, { session: CheckoutSession; payment: Payment }>(),
    // [assumed] A `payout_reference` is unique across all payout endpoints.
    payouts: new Map<string, Payout>(),
    /** The scenarios of future payouts, by `payout_reference`. Requests to `/_sandbox` set these scenarios. */
    plannedScenarios: new Map<string, ScenarioOf<'payout'>>(),
    airtime: new Map<string, Airtime>(),
    portal: createPortalAddresses(merchant === merchants[0] ? portal : {}, callbackHosts),
    onboarding: createOnboarding(),
    ledger,
    deliveries: createDeliveries({ clock, randomness, fetch, callbackHosts, faults }),
  }
}
