// The customer of a session: the prompts on their phone, and how they answer. A person decides each answer on the
// hosted page, or a scenario decides it.

import { compare } from '../../../server/contract/decimal.ts'
import { Failure, notPossible } from '../errors/failure.ts'
import { fieldWrong } from '../errors/wrong-field.ts'
import { fits, fractionRuleOf } from '../money/amounts.ts'
import { CURRENCIES } from '../money/currencies.ts'
import {
  CUSTOMER_ANSWER_MS,
  GIVE_BACK_MS,
  PROMPT_TIMEOUT_MS,
  SCENARIOS,
  excessOver,
  partOf,
  scenarioOf,
  takesAmount,
} from '../scenarios.ts'
import { giveBack, notifyMerchant, receive, settle } from './movements.ts'
import { addPayment, openPaymentOf, promptProblem, remainingOf, setPaymentState } from './session.ts'

import type { Decimal } from '../../../server/contract/decimal.ts'
import type { Result } from '../errors/failure.ts'
import type { Currency } from '../money/currencies.ts'
import type { CheckoutEffect, CheckoutScenario } from '../scenarios.ts'
import type { World } from '../world.ts'
import type { Payment } from './payment.ts'
import type { CheckoutSession } from './session.ts'

type Prompt = Pick<Payment, 'methodCode' | 'msisdn'>

/** Opens a prompt. If the phone number selects no scenario, the prompt waits for an answer on the hosted page. */
export function promptCustomer(world: World, session: CheckoutSession, prompt: Prompt): Result<Payment> {
  const isScripted = scenarioOf('checkout', world, prompt.msisdn) !== null
  return isScripted ? promptAutomaticCustomer(world, session, prompt) : openPrompt(world, session, prompt)
}

/** Opens a prompt that is answered after `CUSTOMER_ANSWER_MS`: by the phone number's scenario, or with an approval. */
export function promptAutomaticCustomer(world: World, session: CheckoutSession, prompt: Prompt) {
  const payment = openPrompt(world, session, prompt)
  if (payment instanceof Failure) {
    return payment
  }

  recordDecision(world, session, payment, CUSTOMER_ANSWER_MS)
  world.clock.after(CUSTOMER_ANSWER_MS, () => {
    if (payment.state.kind !== 'prompted') {
      return
    }

    const failure = playScenario(world, session, prompt, { scenario: null, amount: null })
    // For example, the smallest amount of a currency cannot be paid in part.
    if (failure !== null) {
      settle(world, session, payment, { kind: 'failed', result: failure.message })
    }
  })
  return payment
}

/**
 * Applies the scenario `choice.scenario` to the open payment of a session, or to a new payment if no payment is open.
 * If `choice.scenario` is `null`, the phone number selects the scenario. Returns a failure if the scenario cannot be
 * applied now, if it takes no `choice.amount`, or if that amount does not fit it.
 */
export function playScenario(
  world: World,
  session: CheckoutSession,
  prompt: Prompt,
  choice: { scenario: CheckoutScenario | null; amount: Decimal | null },
): Failure | null {
  const open = openPaymentOf(session)
  const msisdn = open?.msisdn ?? prompt.msisdn
  const scenario = choice.scenario ?? scenarioOf('checkout', world, msisdn) ?? 'approve'
  const effect: CheckoutEffect = SCENARIOS[scenario].checkout
  if (choice.amount !== null && !takesAmount(effect)) {
    return fieldWrong(`The amount must be left out: the scenario ${scenario} takes none.`)
  }
  // A chosen `reverse` or `refund` returns earlier payments. If a phone number selects the scenario, the customer
  // pays first.
  if (choice.scenario !== null && effect.kind === 'give_back') {
    return giveBack(world, session, effect.as)
  }

  if (open?.state.kind === 'processing') {
    return notPossible('A payment is being processed.')
  }

  const problem = open ? null : promptProblem(session, world.clock.now())
  if (problem !== null) {
    return problem
  }

  // The amount is checked before the prompt is opened, so that a refused amount opens no prompt.
  const due = open?.amount ?? remainingOf(session)
  const amount = amountFor(effect, CURRENCIES[session.service.currency], due, choice.amount)
  if (amount instanceof Failure) {
    return amount
  }

  const payment = open ?? openPrompt(world, session, prompt)
  if (payment instanceof Failure) {
    return payment
  }

  // The next change of the state adds it to the history.
  payment.amount = amount
  answer(world, session, payment, effect)
  return null
}

function openPrompt(world: World, session: CheckoutSession, prompt: Prompt): Result<Payment> {
  const { clock, randomness } = world
  const now = clock.now()
  const problem = promptProblem(session, now)
  if (problem !== null) {
    return problem
  }

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
  if (session.dialect === 'flat') {
    notifyMerchant(world, session)
  }

  clock.after(PROMPT_TIMEOUT_MS, () => {
    if (payment.state.kind === 'prompted') {
      settle(world, session, payment, { kind: 'failed', result: 'The prompt timed out.' })
    }
  })
  return payment
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
  if (state.kind !== 'prompted') {
    return
  }

  const now = world.clock.now()
  setPaymentState(session, payment, { ...state, decidedUntil: Math.min(now + ms, state.closesAt) }, now)
}

function amountFor(
  effect: CheckoutEffect,
  currency: Currency,
  due: Decimal,
  given: Decimal | null,
): Result<Decimal> {
  if (effect.kind !== 'pay' || effect.amount === 'remaining') {
    return due
  }

  const isPart = effect.amount === 'part'
  const amount = given ?? (isPart ? partOf(due, currency) : excessOver(due))
  const wrong = (rule: string) => fieldWrong(`The amount ${rule}`)
  if (!fits(amount, currency)) {
    return wrong(fractionRuleOf(currency))
  }
  if (compare(amount, due) === (isPart ? -1 : 1)) {
    return amount
  }
  return wrong(`must be ${isPart ? 'less' : 'more'} than ${due}.`)
}
