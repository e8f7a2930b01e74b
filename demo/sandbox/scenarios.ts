// A scenario is a simulated result of a checkout, a payout or airtime. [assumed] The spec names no scenarios.

import { add, multiply, round } from '../../server/contract/decimal.ts'
import { isKeyOf } from '../../server/contract/parse.ts'
import { unitOf } from './money/currencies.ts'

import type { Decimal } from '../../server/contract/decimal.ts'
import type { PayoutErrorCode } from '../../server/contract/payout.ts'
import type { Environment } from './environment.ts'
import type { Currency } from './money/currencies.ts'

/** After `jam`, the payment, payout or airtime stays open until another scenario is applied. */
type SharedEffect = { kind: 'jam' } | { kind: 'give_back'; as: 'reversed' | 'refunded' }

export type CheckoutEffect =
  | SharedEffect
  /** The customer pays, and the money arrives `afterMs` milliseconds later. */
  | { kind: 'pay'; amount: 'remaining' | 'part' | 'excess'; afterMs: number }
  /** The customer does not answer, until the prompt times out. */
  | { kind: 'wait' }
  /** `result` is what the operator says; `null` if it says nothing. */
  | { kind: 'fail'; result: string | null }

/** What happens to a payout or to airtime that was accepted. */
export type SettlementEffect =
  | SharedEffect
  | { kind: 'fail'; result: string }
  /** The recipient is paid `afterMs` milliseconds later than without a scenario. */
  | { kind: 'settle'; afterMs: number }
  /** The network fails, tries again, and delivers. */
  | { kind: 'reprocess' }

export type PayoutEffect = SettlementEffect | { kind: 'reject'; error_code: PayoutErrorCode | null }

interface Scenario {
  /** The last four digits of the phone and account numbers that select this scenario. */
  readonly digits: string
  /** What the customer or the operator does, as a button of the hosted page says it. */
  readonly does: string
  readonly checkout?: CheckoutEffect
  readonly payout?: PayoutEffect
  readonly airtime?: SettlementEffect
}

// [assumed] All durations below.
export const PROMPT_TIMEOUT_MS = 60_000
const SLOW_PAYMENT_MS = 45_000
/** How long the simulated customer takes to answer a payment prompt, if the phone number selects a scenario. */
export const CUSTOMER_ANSWER_MS = 3_000
/** How long after its success a transaction is given back, if a phone or account number selected the scenario. */
export const GIVE_BACK_MS = 60_000
/** From the acceptance of a payout or airtime to its result. */
export const RESULT_DELAY_MS = 3_000
export const AIRTIME_PROCESSING_DELAY_MS = 1_000

const pay = (amount: 'remaining' | 'part' | 'excess', afterMs = 0) =>
  ({ kind: 'pay', amount, afterMs }) as const
const settle = (afterMs: number) => ({ kind: 'settle', afterMs }) as const
const fail = <const Result extends string | null>(result: Result) => ({ kind: 'fail', result }) as const
const fails = (digits: string, does: string, result: string | null) =>
  ({ digits, does, checkout: fail(result) }) as const
const refuses = (digits: string, does: string, error_code: PayoutErrorCode | null) =>
  ({ digits, does, payout: { kind: 'reject', error_code } }) as const
const everywhere = <const Effect>(digits: string, does: string, effect: Effect) =>
  ({ digits, does, checkout: effect, payout: effect, airtime: effect }) as const

// By name, in the order of the buttons of the hosted page.
export const SCENARIOS = {
  approve: { digits: '9000', does: 'Enter PIN and approve', checkout: pay('remaining') },
  insufficient_funds: fails('9001', 'Not enough money', 'There was not enough money.'),
  wrong_pin: fails('9002', 'Enter a wrong PIN', 'The PIN was wrong.'),
  ignore: { digits: '9003', does: 'Ignore the prompt', checkout: { kind: 'wait' } },
  cancel: fails('9004', 'Cancel', 'The prompt was cancelled.'),
  partial: { digits: '9005', does: 'Pay a part', checkout: pay('part') },
  overpay: { digits: '9006', does: 'Pay too much', checkout: pay('excess') },
  slow: {
    ...everywhere('9007', 'Approve on a slow network', settle(SLOW_PAYMENT_MS)),
    checkout: pay('remaining', SLOW_PAYMENT_MS),
  },
  jam: everywhere('9008', 'Get stuck at the operator', { kind: 'jam' }),
  reverse: everywhere('9009', 'Reverse what was received', { kind: 'give_back', as: 'reversed' }),
  refund: everywhere('9010', 'Refund what was received', { kind: 'give_back', as: 'refunded' }),
  limit: fails('9011', 'Go over a limit', 'The limit of the wallet is reached.'),
  not_registered: fails('9012', 'No wallet at this number', 'The number is not registered for mobile money.'),
  operator_away: fails('9013', 'Operator is out of order', 'The operator is not available.'),
  silent: fails('9014', 'Fail without a word', null),
  success: { digits: '9100', does: 'Deliver the money', payout: settle(0), airtime: settle(0) },
  decline: {
    digits: '9101',
    does: 'Decline after acceptance',
    payout: fail('The operator declined the payout.'),
    airtime: fail('The network declined the airtime.'),
  },
  insufficient_balance: refuses('9102', 'Refuse: the float lacks funds', 'INSUFFICIENT_BALANCE'),
  service_not_allowed: refuses('9103', 'Refuse: payouts are forbidden', 'SERVICE_NOT_ALLOWED'),
  invalid_access_token: refuses('9104', 'Refuse: the token is wrong', 'INVALID_ACCESS_TOKEN'),
  invalid_destination_type: refuses('9105', 'Refuse: no such destination', 'INVALID_DESTINATION_TYPE'),
  invalid_phone_number: refuses('9106', 'Refuse: the phone number is wrong', 'INVALID_PHONE_NUMBER'),
  invalid_payment_method: refuses('9107', 'Refuse: no such payment method', 'INVALID_PAYMENT_METHOD'),
  invalid_wallet: refuses('9108', 'Refuse: the wallet does not exist', 'INVALID_WALLET'),
  unauthorized: refuses('9109', 'Refuse: not authenticated', 'UNAUTHORIZED'),
  resource_not_found: refuses('9110', 'Refuse: something was not found', 'RESOURCE_NOT_FOUND'),
  duplicate_ignored: refuses('9111', 'Ignore as a duplicate, though there was none', 'DUPLICATE_IGNORED'),
  failed: {
    ...refuses('9112', 'Refuse: the service is out of order', 'FAILED'),
    airtime: fail('The network is out of order.'),
  },
  reprocess: { digits: '9113', does: 'Fail, and try again', airtime: { kind: 'reprocess' } },
  // No `error_code` of the specification fits.
  unreachable_callback: refuses('9114', 'Refuse: the callback_url cannot be reached', null),
} as const satisfies Record<string, Scenario>

/**
 * What `partial` pays without an `amount`: half of what is due, rounded down to a whole number; below 2, the smallest
 * amount of the currency, such as "0.01".
 */
export function partOf(due: Decimal, currency: Currency): Decimal {
  const half = round(multiply(due, '0.5'), 0, 'down')
  return half === '0' ? unitOf(currency) : half
}

/** What `overpay` pays without an `amount`: what is due plus 10 %; the added part is rounded up to a whole number. */
export const excessOver = (due: Decimal) => add(due, round(multiply(due, '0.1'), 0, 'up'))

/** Returns whether a scenario pays another amount than what is due, which may be chosen. */
export const takesAmount = (effect: CheckoutEffect) => effect.kind === 'pay' && effect.amount !== 'remaining'

type ScenarioName = keyof typeof SCENARIOS
/** What a scenario may be of. A charge has the scenarios of a checkout. */
export type Kind = 'checkout' | 'payout' | 'airtime'
/** The names of the scenarios that a kind of transaction has. */
export type ScenarioOf<K extends Kind> = {
  [Name in ScenarioName]: (typeof SCENARIOS)[Name] extends Record<K, unknown> ? Name : never
}[ScenarioName]
export type CheckoutScenario = ScenarioOf<'checkout'>

const isScenarioName = isKeyOf(SCENARIOS)

export function isScenarioOf<K extends Kind>(kind: K): (name: string) => name is ScenarioOf<K> {
  return (name): name is ScenarioOf<K> => isScenarioName(name) && kind in SCENARIOS[name]
}

export function listScenarios(): (Scenario & { name: ScenarioName })[] {
  return Object.keys(SCENARIOS)
    .filter(isScenarioName)
    .map((name) => ({ name, ...SCENARIOS[name] }))
}

/** Returns the scenario that a phone or account number selects. Production has no magic numbers. */
export function scenarioOf<K extends Kind>(kind: K, world: { environment: Environment }, number: string) {
  if (world.environment === 'production') {
    return null
  }

  const names = Object.keys(SCENARIOS).filter(isScenarioOf(kind))
  return names.find((name) => isScenarioName(name) && number.endsWith(SCENARIOS[name].digits)) ?? null
}
