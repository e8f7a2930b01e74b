/**
 * What a simulated customer may do with a payment, and what comes of it: one table for the hosted page's
 * buttons, the magic phone numbers and the control interface. [assumed] The spec says that the sandbox
 * simulates scenarios and names none.
 */

export type Effect =
  /** Money arrives after `afterMs`: what remains, a part of it, or more than it. */
  | { kind: 'pay'; amount: 'remaining' | 'part' | 'excess'; afterMs: number }
  | { kind: 'fail'; result: string }
  /** Nothing happens until the prompt times out. */
  | { kind: 'wait' }
  /** The operator no longer knows whether it has the money. */
  | { kind: 'jam' }
  /** Received money leaves again. */
  | { kind: 'give_back'; as: 'reversed' | 'refunded' }

export interface Scenario {
  /** Last four digits of a phone number that acts like this by itself. */
  readonly digits: string
  /** What the customer or the operator does, as a button says it. */
  readonly does: string
  readonly effect: Effect
}

/** [assumed] The prompt on a phone closes by itself after a minute. */
export const PROMPT_TIMEOUT_MS = 60_000
/** [assumed] How long a slow network keeps an approved payment pending. */
export const SLOW_PAYMENT_MS = 45_000
/** [assumed] How long the customer behind a magic number looks at the prompt on the hosted page. */
export const MAGIC_ANSWER_MS = 3_000
/** [assumed] How long after its approval the payment of a magic number is reversed or refunded. */
export const GIVE_BACK_MS = 60_000

export const SCENARIOS = {
  approve: {
    digits: '9000',
    does: 'Enter PIN and approve',
    effect: { kind: 'pay', amount: 'remaining', afterMs: 0 },
  },
  insufficient_funds: {
    digits: '9001',
    does: 'Not enough money',
    effect: { kind: 'fail', result: 'There was not enough money.' },
  },
  wrong_pin: {
    digits: '9002',
    does: 'Enter a wrong PIN',
    effect: { kind: 'fail', result: 'The PIN was wrong.' },
  },
  ignore: { digits: '9003', does: 'Ignore the prompt', effect: { kind: 'wait' } },
  cancel: {
    digits: '9004',
    does: 'Cancel',
    effect: { kind: 'fail', result: 'The prompt was cancelled.' },
  },
  partial: {
    digits: '9005',
    does: 'Pay a part',
    effect: { kind: 'pay', amount: 'part', afterMs: 0 },
  },
  overpay: {
    digits: '9006',
    does: 'Pay too much',
    effect: { kind: 'pay', amount: 'excess', afterMs: 0 },
  },
  slow: {
    digits: '9007',
    does: 'Approve on a slow network',
    effect: { kind: 'pay', amount: 'remaining', afterMs: SLOW_PAYMENT_MS },
  },
  jam: { digits: '9008', does: 'Get stuck at the operator', effect: { kind: 'jam' } },
  reverse: {
    digits: '9009',
    does: 'Reverse what was received',
    effect: { kind: 'give_back', as: 'reversed' },
  },
  refund: {
    digits: '9010',
    does: 'Refund what was received',
    effect: { kind: 'give_back', as: 'refunded' },
  },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof SCENARIOS

export function isScenarioName(name: string): name is ScenarioName {
  return Object.hasOwn(SCENARIOS, name)
}

/** The table with its names. */
export function listScenarios(): { name: ScenarioName; scenario: Scenario }[] {
  return Object.keys(SCENARIOS)
    .filter(isScenarioName)
    .map((name) => ({ name, scenario: SCENARIOS[name] }))
}

/** What the owner of this number does without being told; `null` for an ordinary number. */
export function scenarioOfMsisdn(msisdn: string): ScenarioName | null {
  return listScenarios().find(({ scenario }) => msisdn.endsWith(scenario.digits))?.name ?? null
}
