// A scenario is a simulated result of a checkout, a payout or airtime. [assumed] The spec names no scenarios.

import type { PayoutErrorCode } from '../../server/contract/payout.ts'
import type { Environment } from './environment.ts'

export type CheckoutEffect =
  /** The customer pays, and the money arrives `afterMs` milliseconds later. */
  | { kind: 'pay'; amount: 'remaining' | 'part' | 'excess'; afterMs: number }
  | { kind: 'fail'; result: string }
  | { kind: 'wait' }
  /** The payment stays open until another scenario is applied. */
  | { kind: 'jam' }
  | { kind: 'give_back'; as: 'reversed' | 'refunded' }

export type PayoutEffect =
  | { kind: 'reject'; error_code: PayoutErrorCode | null }
  /** The payout is paid `afterMs` milliseconds later than without a scenario. */
  | { kind: 'settle'; afterMs: number }
  | { kind: 'fail'; result: string }
  | { kind: 'jam' }
  | { kind: 'give_back'; as: 'reversed' | 'refunded' }

export type AirtimeEffect =
  | { kind: 'deliver'; afterMs: number }
  | { kind: 'fail'; result: string }
  | { kind: 'jam' }
  | { kind: 'reprocess' }
  | { kind: 'give_back'; as: 'reversed' | 'refunded' }

export interface Scenario {
  /** The last four digits of the phone and account numbers that select this scenario. */
  readonly digits: string
  readonly does: string
  readonly checkout?: CheckoutEffect
  readonly payout?: PayoutEffect
  readonly airtime?: AirtimeEffect
}

// [assumed] All durations below.
export const PROMPT_TIMEOUT_MS = 60_000
const SLOW_PAYMENT_MS = 45_000
/**
 * How long the simulated customer takes to answer a payment prompt, in milliseconds, if the phone number selects a
 * scenario.
 */
export const CUSTOMER_ANSWER_MS = 3_000
/**
 * How long after its success a payment, a payout or airtime is reversed or refunded, in milliseconds, if a phone or
 * account number selected a scenario with the effect `give_back`.
 */
export const GIVE_BACK_MS = 60_000
export const PAYOUT_RESULT_DELAY_MS = 3_000

export const AIRTIME_PROCESSING_DELAY_MS = 1_000
export const AIRTIME_RESULT_DELAY_MS = 3_000

export const SCENARIOS = {
  approve: {
    digits: '9000',
    does: 'Enter PIN and approve',
    checkout: { kind: 'pay', amount: 'remaining', afterMs: 0 },
  },
  insufficient_funds: {
    digits: '9001',
    does: 'Not enough money',
    checkout: { kind: 'fail', result: 'There was not enough money.' },
  },
  wrong_pin: {
    digits: '9002',
    does: 'Enter a wrong PIN',
    checkout: { kind: 'fail', result: 'The PIN was wrong.' },
  },
  ignore: { digits: '9003', does: 'Ignore the prompt', checkout: { kind: 'wait' } },
  cancel: {
    digits: '9004',
    does: 'Cancel',
    checkout: { kind: 'fail', result: 'The prompt was cancelled.' },
  },
  partial: {
    digits: '9005',
    does: 'Pay a part',
    checkout: { kind: 'pay', amount: 'part', afterMs: 0 },
  },
  overpay: {
    digits: '9006',
    does: 'Pay too much',
    checkout: { kind: 'pay', amount: 'excess', afterMs: 0 },
  },
  slow: {
    digits: '9007',
    does: 'Approve on a slow network',
    checkout: { kind: 'pay', amount: 'remaining', afterMs: SLOW_PAYMENT_MS },
    payout: { kind: 'settle', afterMs: SLOW_PAYMENT_MS },
    airtime: { kind: 'deliver', afterMs: SLOW_PAYMENT_MS },
  },
  jam: {
    digits: '9008',
    does: 'Get stuck at the operator',
    checkout: { kind: 'jam' },
    payout: { kind: 'jam' },
    airtime: { kind: 'jam' },
  },
  reverse: {
    digits: '9009',
    does: 'Reverse what was received',
    checkout: { kind: 'give_back', as: 'reversed' },
    payout: { kind: 'give_back', as: 'reversed' },
    airtime: { kind: 'give_back', as: 'reversed' },
  },
  refund: {
    digits: '9010',
    does: 'Refund what was received',
    checkout: { kind: 'give_back', as: 'refunded' },
    payout: { kind: 'give_back', as: 'refunded' },
    airtime: { kind: 'give_back', as: 'refunded' },
  },
  success: {
    digits: '9100',
    does: 'Deliver the money',
    payout: { kind: 'settle', afterMs: 0 },
    airtime: { kind: 'deliver', afterMs: 0 },
  },
  decline: {
    digits: '9101',
    does: 'Decline after acceptance',
    payout: { kind: 'fail', result: 'The operator declined the payout.' },
    airtime: { kind: 'fail', result: 'The network declined the airtime.' },
  },
  insufficient_balance: {
    digits: '9102',
    does: 'Refuse: the float lacks funds',
    payout: { kind: 'reject', error_code: 'INSUFFICIENT_BALANCE' },
  },
  service_not_allowed: {
    digits: '9103',
    does: 'Refuse: payouts are forbidden',
    payout: { kind: 'reject', error_code: 'SERVICE_NOT_ALLOWED' },
  },
  invalid_access_token: {
    digits: '9104',
    does: 'Refuse: the token is wrong',
    payout: { kind: 'reject', error_code: 'INVALID_ACCESS_TOKEN' },
  },
  invalid_destination_type: {
    digits: '9105',
    does: 'Refuse: no such destination',
    payout: { kind: 'reject', error_code: 'INVALID_DESTINATION_TYPE' },
  },
  invalid_phone_number: {
    digits: '9106',
    does: 'Refuse: the phone number is wrong',
    payout: { kind: 'reject', error_code: 'INVALID_PHONE_NUMBER' },
  },
  invalid_payment_method: {
    digits: '9107',
    does: 'Refuse: no such payment method',
    payout: { kind: 'reject', error_code: 'INVALID_PAYMENT_METHOD' },
  },
  invalid_wallet: {
    digits: '9108',
    does: 'Refuse: the wallet does not exist',
    payout: { kind: 'reject', error_code: 'INVALID_WALLET' },
  },
  unauthorized: {
    digits: '9109',
    does: 'Refuse: not authenticated',
    payout: { kind: 'reject', error_code: 'UNAUTHORIZED' },
  },
  resource_not_found: {
    digits: '9110',
    does: 'Refuse: something was not found',
    payout: { kind: 'reject', error_code: 'RESOURCE_NOT_FOUND' },
  },
  duplicate_ignored: {
    digits: '9111',
    does: 'Ignore as a duplicate, though there was none',
    payout: { kind: 'reject', error_code: 'DUPLICATE_IGNORED' },
  },
  failed: {
    digits: '9112',
    does: 'Refuse: the service is out of order',
    payout: { kind: 'reject', error_code: 'FAILED' },
    airtime: { kind: 'fail', result: 'The network is out of order.' },
  },
  reprocess: {
    digits: '9113',
    does: 'Fail, and try again',
    airtime: { kind: 'reprocess' },
  },
  unreachable_callback: {
    digits: '9114',
    does: 'Refuse: the callback_url cannot be reached',
    payout: { kind: 'reject', error_code: null },
  },
} as const satisfies Record<string, Scenario>

type Table = typeof SCENARIOS
type ScenarioName = keyof Table
export type CheckoutScenario = {
  [Name in ScenarioName]: Table[Name] extends { checkout: CheckoutEffect } ? Name : never
}[ScenarioName]
export type PayoutScenario = {
  [Name in ScenarioName]: Table[Name] extends { payout: PayoutEffect } ? Name : never
}[ScenarioName]

export type AirtimeScenario = {
  [Name in ScenarioName]: Table[Name] extends { airtime: AirtimeEffect } ? Name : never
}[ScenarioName]

export function isCheckoutScenario(name: string): name is CheckoutScenario {
  return isScenarioName(name) && 'checkout' in SCENARIOS[name]
}

export function isPayoutScenario(name: string): name is PayoutScenario {
  return isScenarioName(name) && 'payout' in SCENARIOS[name]
}

export function isAirtimeScenario(name: string): name is AirtimeScenario {
  return isScenarioName(name) && 'airtime' in SCENARIOS[name]
}

export function listScenarios(): (Scenario & { name: ScenarioName })[] {
  return Object.keys(SCENARIOS)
    .filter(isScenarioName)
    .map((name) => ({ name, ...SCENARIOS[name] }))
}

export function scenarioOfMsisdn(place: Place, msisdn: string): CheckoutScenario | null {
  return Object.keys(SCENARIOS).filter(isCheckoutScenario).find(hasDigitsOf(place, msisdn)) ?? null
}

export function scenarioOfRecipient(place: Place, number: string): PayoutScenario | null {
  return Object.keys(SCENARIOS).filter(isPayoutScenario).find(hasDigitsOf(place, number)) ?? null
}

export function scenarioOfPhone(place: Place, number: string): AirtimeScenario | null {
  return Object.keys(SCENARIOS).filter(isAirtimeScenario).find(hasDigitsOf(place, number)) ?? null
}

function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(SCENARIOS, name)
}

interface Place {
  readonly environment: Environment
}

// Production has no magic numbers.
function hasDigitsOf({ environment }: Place, number: string): (name: ScenarioName) => boolean {
  return (name) => environment === 'sandbox' && number.endsWith(SCENARIOS[name].digits)
}
