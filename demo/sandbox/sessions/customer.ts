import { compare } from '../../../server/contract/decimal.ts'
import { excessOver, fits, partOf, tooFine } from '../money/amounts.ts'
import { CURRENCIES } from '../money/currencies.ts'
import { GIVE_BACK_MS, CUSTOMER_ANSWER_MS, PROMPT_TIMEOUT_MS, SCENARIOS, scenarioOf } from '../scenarios.ts'
import { fieldWrong, notPossible } from '../wire/failure.ts'
import { postGivenBack, postReceived } from './movements.ts'
import {
  addPayment,
  notPayableReason,
  openPaymentOf,
  receivedBy,
  remainingOf,
  reportOf,
  setPaymentState,
} from './session.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Currency } from '../money/currencies.ts'
import type { CheckoutEffect, CheckoutScenario } from '../scenarios.ts'
import type { Failure, Result } from '../wire/failure.ts'
import type { World } from '../world.ts'
import type { Payment, PaymentState } from './payment.ts'
import type { CheckoutSession } from './session.ts'

// [assumed] Maximum for each session.
const MAX_PAYMENTS = 100

interface Prompt {
  methodCode: string
  msisdn: string
}

export function sendPromptToPhone(world: World, session: CheckoutSession, prompt: Prompt): Result<Payment> {
  const isMagic = scenarioOf('checkout', world, prompt.msisdn) !== null
  return isMagic ? sendAnsweredPrompt(world, session, prompt) : sendPrompt(world, session, prompt)
}

export function sendAnsweredPrompt(world: World, session: CheckoutSession, prompt: Prompt): Result<Payment> {
  const sent = sendPrompt(world, session, prompt)
  if ('failure' in sent) return sent
  const payment = sent.value
  recordDecision(world, session, payment, CUSTOMER_ANSWER_MS)
  world.clock.after(CUSTOMER_ANSWER_MS, () => {
    if (payment.state.kind === 'prompted')
      playScenario(world, session, prompt, { scenario: null, amount: null })
  })
  return sent
}

/**
 * Applies the scenario `choice.scenario` to the open payment of a session, or to a new payment if no payment is open.
 * If `choice.scenario` is `null`, the phone number selects the scenario. Returns a failure if the scenario cannot be
 * applied now, or if `choice.amount` does not fit the scenario.
 */
export function playScenario(
  world: World,
  session: CheckoutSession,
  prompt: Prompt,
  choice: { scenario: CheckoutScenario | null; amount: Decimal | null },
): Failure | null {
  // A chosen `reverse` or `refund` returns earlier payments. If a phone number selects the scenario, the customer
  // pays first.
  const chosen: CheckoutEffect | null = choice.scenario === null ? null : SCENARIOS[choice.scenario].checkout
  if (chosen?.kind === 'give_back') return giveBack(world, session, chosen.as)

  const open = openPaymentOf(session)
  if (open?.state.kind === 'processing') return notPossible('A payment is being processed.')
  const problem = open ? null : promptProblem(session, world.clock.now())
  if (problem !== null) return notPossible(problem)
  const msisdn = open?.msisdn ?? prompt.msisdn
  const scenario = choice.scenario ?? scenarioOf('checkout', world, msisdn) ?? 'approve'
  // The amount is checked before the prompt is sent, so that a refused amount opens no prompt.
  const currency = CURRENCIES[session.service.currency]
  const due = open?.amount ?? remainingOf(session)
  const amount = amountFor(SCENARIOS[scenario].checkout, { due, currency }, choice.amount)
  if ('failure' in amount) return amount.failure

  const sent: Result<Payment> = open ? { value: open } : sendPrompt(world, session, prompt)
  if ('failure' in sent) return sent.failure
  sent.value.amount = amount.value
  answer(world, session, sent.value, SCENARIOS[scenario].checkout)
  return null
}

function sendPrompt(world: World, session: CheckoutSession, prompt: Prompt): Result<Payment> {
  const { clock, randomness } = world
  const now = clock.now()
  const problem = promptProblem(session, now)
  if (problem !== null) return { failure: notPossible(problem) }

  const payment: Payment = {
    transactionId: randomness.hex(24),
    ...prompt,
    receipt: randomness.receipt(),
    amount: remainingOf(session),
    state: { kind: 'prompted', closesAt: now + PROMPT_TIMEOUT_MS, decidedUntil: null },
    changedAt: now,
  }
  addPayment(session, payment)
  world.paymentsById.set(payment.transactionId, { session, payment })
  // [assumed] As seen in practice, the pending payment of a flat charge is notified.
  if (session.dialect === 'flat') notifyMerchant(world, session)
  clock.after(PROMPT_TIMEOUT_MS, () => {
    if (payment.state.kind === 'prompted')
      settle(world, session, payment, { kind: 'failed', result: 'The prompt timed out.' })
  })
  return { value: payment }
}

function answer(world: World, session: CheckoutSession, payment: Payment, effect: CheckoutEffect): void {
  switch (effect.kind) {
    case 'pay':
      return receive(world, session, payment, effect.afterMs)
    case 'fail':
      return settle(world, session, payment, { kind: 'failed', result: effect.result })
    case 'wait':
      return recordDecision(world, session, payment, PROMPT_TIMEOUT_MS)
    case 'jam':
      return settle(world, session, payment, { kind: 'jammed' })
    case 'give_back':
      receive(world, session, payment, 0)
      world.clock.after(GIVE_BACK_MS, () => void giveBack(world, session, effect.as))
  }
}

/**
 * Stores that the payment's prompt ends after `ms` milliseconds, with the result that a scenario has already decided.
 * Until then, the hosted page shows no buttons for the customer's answer.
 */
function recordDecision(world: World, session: CheckoutSession, payment: Payment, ms: number): void {
  const { state } = payment
  if (state.kind !== 'prompted') return
  const now = world.clock.now()
  setPaymentState(session, payment, { ...state, decidedUntil: Math.min(now + ms, state.closesAt) }, now)
}

function promptProblem(session: CheckoutSession, now: number): string | null {
  if (session.payments.length >= MAX_PAYMENTS) return 'The checkout has seen too many attempts.'
  return notPayableReason(session, now)
}

// [assumed] All payments of a session are given back together.
export function giveBack(
  world: World,
  session: CheckoutSession,
  as: 'reversed' | 'refunded',
): Failure | null {
  if (compare(receivedBy(session), '0') === 0) return notPossible('The checkout holds no received money.')
  for (const payment of session.payments) {
    if (payment.state.kind !== 'paid') continue
    setPaymentState(session, payment, { kind: as }, world.clock.now())
    postGivenBack(world, session, payment)
  }
  notifyMerchant(world, session)
  return null
}

/** Ends a payment that is stuck at the operator, as the operator says it ended. */
export function resolveJam(world: World, session: CheckoutSession, as: 'paid' | 'failed'): Failure | null {
  const jammed = session.payments.find(({ state }) => state.kind === 'jammed')
  if (!jammed) return notPossible('No payment is stuck at the operator.')
  const result = 'The operator did not receive the payment.'
  if (as === 'paid') receive(world, session, jammed, 0)
  else settle(world, session, jammed, { kind: 'failed', result })
  return null
}

function receive(world: World, session: CheckoutSession, payment: Payment, afterMs: number): void {
  const arrive = () => {
    postReceived(world, session, payment)
    settle(world, session, payment, { kind: 'paid' })
  }
  if (afterMs === 0) return arrive()
  const now = world.clock.now()
  const isAgain = payment.state.kind === 'jammed'
  setPaymentState(session, payment, { kind: 'processing', until: now + afterMs, isAgain }, now)
  world.clock.after(afterMs, arrive)
}

// [spec: Events]
function settle(world: World, session: CheckoutSession, payment: Payment, state: PaymentState): void {
  setPaymentState(session, payment, state, world.clock.now())
  notifyMerchant(world, session)
}

function notifyMerchant({ deliveries, clock, portal }: World, session: CheckoutSession): void {
  // [assumed] Without an address in the portal, a charge has no callbacks.
  const url = session.callbackUrl ?? portal.addresses().charge_callback_url
  deliveries.notify({ reference: session.id, url, payload: reportOf(session, clock.now()) })
}

function amountFor(
  effect: CheckoutEffect,
  { due, currency }: { due: Decimal; currency: Currency },
  given: Decimal | null,
): Result<Decimal> {
  const wrong = (rule: string) => fieldWrong(`The amount ${rule}`)
  if (given !== null && !fits(given, currency)) return wrong(tooFine(currency))
  switch (effect.kind === 'pay' ? effect.amount : 'remaining') {
    case 'remaining':
      return { value: due }
    case 'part': {
      const part = given ?? partOf(due, currency)
      return compare(part, due) < 0 ? { value: part } : wrong(`must be less than ${due}.`)
    }
    case 'excess': {
      const excess = given ?? excessOver(due)
      return compare(excess, due) > 0 ? { value: excess } : wrong(`must be more than ${due}.`)
    }
  }
}
