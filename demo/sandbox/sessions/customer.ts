/**
 * The simulated customer and the operator behind them: opens prompts, answers them, and gives money back.
 * The hosted page, magic numbers and the control interface all come through here.
 */

import { compare } from '../../../server/contract/decimal.ts'
import { CHECKOUT_CODE } from '../../../server/contract/status.ts'
import { postGivenBack, postReceived } from './movements.ts'
import {
  setPaymentState,
  openPaymentOf,
  payloadOf,
  receivedBy,
  remainingOf,
  notPayableReason,
} from './session.ts'
import { excessOver, partOf } from '../money/amounts.ts'
import {
  GIVE_BACK_MS,
  MAGIC_ANSWER_MS,
  PROMPT_TIMEOUT_MS,
  SCENARIOS,
  scenarioOfMsisdn,
} from '../scenarios.ts'
import type { Decimal } from '../../../server/contract/decimal.ts'
import type { CheckoutSession } from './session.ts'
import type { Failure, Result } from '../wire/failure.ts'
import type { Payment, PaymentState } from './payment.ts'
import type { CheckoutEffect, CheckoutScenario } from '../scenarios.ts'
import type { World } from '../world.ts'

/** [assumed] Far more attempts than a person makes in one session. */
const MAX_PAYMENTS = 100

interface Prompt {
  methodCode: string
  msisdn: string
}

/** Opens a prompt that waits for somebody's hands; the owner of a magic number answers after a moment. */
export function sendPromptToPhone(world: World, session: CheckoutSession, prompt: Prompt): Result<Payment> {
  const isMagic = scenarioOfMsisdn(prompt.msisdn) !== null
  return isMagic ? sendAnsweredPrompt(world, session, prompt) : sendPrompt(world, session, prompt)
}

/** Opens a prompt that is answered after a moment: by a magic number as it says, and an ordinary one approves. */
export function sendAnsweredPrompt(world: World, session: CheckoutSession, prompt: Prompt): Result<Payment> {
  const sent = sendPrompt(world, session, prompt)
  if ('failure' in sent) return sent
  const payment = sent.value
  decide(world, session, payment, MAGIC_ANSWER_MS)
  world.clock.after(MAGIC_ANSWER_MS, () => {
    if (payment.state.kind === 'prompted')
      playScenario(world, session, prompt, { scenario: null, amount: null })
  })
  return sent
}

/**
 * Does with the session what the scenario says. Everything takes effect at once, but for what takes time by
 * its nature: `ignore` and `slow`.
 *
 * An open prompt is answered, and of a stuck payment it is the operator who decides; otherwise a prompt is
 * sent first. Without a name the phone number decides, and an ordinary number approves. The names `reverse`
 * and `refund` act on received money; a magic number that stands for them approves, and its money leaves
 * again {@link GIVE_BACK_MS} later. Answers why nothing was done, or `null`.
 */
export function playScenario(
  world: World,
  session: CheckoutSession,
  prompt: Prompt,
  wish: { scenario: CheckoutScenario | null; amount: Decimal | null },
): Failure | null {
  const wished: CheckoutEffect | null = wish.scenario === null ? null : SCENARIOS[wish.scenario].checkout
  if (wished?.kind === 'give_back') return giveBack(world, session, wished.as)

  const open = openPaymentOf(session)
  const problem = open ? answerProblem(open) : promptProblem(session, world.clock.now())
  if (problem !== null) return { reason: 'not_possible_now', problem }
  const scenario = wish.scenario ?? scenarioOfMsisdn(open?.msisdn ?? prompt.msisdn) ?? 'approve'
  // The amount is judged first, so that a refused one leaves no prompt behind.
  const amount = amountFor(SCENARIOS[scenario].checkout, open?.amount ?? remainingOf(session), wish.amount)
  if ('failure' in amount) return amount.failure

  const sent: Result<Payment> = open ? { value: open } : sendPrompt(world, session, prompt)
  if ('failure' in sent) return sent.failure
  sent.value.amount = amount.value
  answer(world, session, sent.value, SCENARIOS[scenario].checkout)
  return null
}

/** Opens a prompt for what remains. It times out by itself when nobody answers. */
function sendPrompt(world: World, session: CheckoutSession, prompt: Prompt): Result<Payment> {
  const { clock, randomness } = world
  const now = clock.now()
  const problem = promptProblem(session, now)
  if (problem !== null) return { failure: { reason: 'not_possible_now', problem } }

  const payment: Payment = {
    transactionId: randomness.hex(24),
    ...prompt,
    amount: remainingOf(session),
    state: { kind: 'prompted', closesAt: now + PROMPT_TIMEOUT_MS, decidedUntil: null },
    changedAt: now,
  }
  session.payments.push(payment)
  world.paymentsById.set(payment.transactionId, { session, payment })
  session.changedAt = now
  clock.after(PROMPT_TIMEOUT_MS, () => {
    if (payment.state.kind === 'prompted')
      move(world, session, payment, { kind: 'failed', result: 'The prompt timed out.' })
  })
  return { value: payment }
}

function answer(world: World, session: CheckoutSession, payment: Payment, effect: CheckoutEffect): void {
  switch (effect.kind) {
    case 'pay':
      receive(world, session, payment, effect.afterMs)
      break
    case 'fail':
      move(world, session, payment, { kind: 'failed', result: effect.result })
      break
    case 'wait':
      decide(world, session, payment, PROMPT_TIMEOUT_MS)
      break
    case 'jam':
      move(world, session, payment, { kind: 'jammed' })
      break
    case 'give_back':
      receive(world, session, payment, 0)
      world.clock.after(GIVE_BACK_MS, () => void giveBack(world, session, effect.as))
      break
  }
}

/** Notes that the customer has decided about an open prompt: for `ms`, or until it closes, there is only waiting. */
function decide(world: World, session: CheckoutSession, payment: Payment, ms: number): void {
  const { state } = payment
  if (state.kind !== 'prompted') return
  const now = world.clock.now()
  setPaymentState(session, payment, { ...state, decidedUntil: Math.min(now + ms, state.closesAt) }, now)
}

function promptProblem(session: CheckoutSession, now: number): string | null {
  if (session.payments.length >= MAX_PAYMENTS) return 'The checkout has seen too many attempts.'
  return notPayableReason(session, now)
}

function answerProblem({ state }: Payment): string | null {
  return state.kind === 'prompted' || state.kind === 'jammed' ? null : 'A payment is being processed.'
}

/** [assumed] All received money of the session leaves again at once. */
export function giveBack(
  world: World,
  session: CheckoutSession,
  as: 'reversed' | 'refunded',
): Failure | null {
  if (compare(receivedBy(session), '0') === 0)
    return { reason: 'not_possible_now', problem: 'The checkout holds no received money.' }
  for (const payment of session.payments) {
    const { state } = payment
    if (state.kind !== 'paid') continue
    setPaymentState(session, payment, { kind: as, receipt: state.receipt }, world.clock.now())
    postGivenBack(world, session, payment)
  }
  notifyMerchant(world, session)
  return null
}

function receive(world: World, session: CheckoutSession, payment: Payment, afterMs: number): void {
  const arrive = () => {
    postReceived(world, session, payment)
    move(world, session, payment, { kind: 'paid', receipt: world.randomness.receipt() })
  }
  if (afterMs === 0) return arrive()
  const now = world.clock.now()
  const isAgain = payment.state.kind === 'jammed'
  setPaymentState(session, payment, { kind: 'processing', until: now + afterMs, isAgain }, now)
  world.clock.after(afterMs, arrive)
}

/** Moves a payment to a result and tells the merchant. [spec: Events] */
function move(world: World, session: CheckoutSession, payment: Payment, state: PaymentState): void {
  setPaymentState(session, payment, state, world.clock.now())
  notifyMerchant(world, session)
}

function notifyMerchant({ deliveries, clock, portal }: World, session: CheckoutSession): void {
  const url = session.callbackUrl ?? portal.addresses().charge_callback_url
  // [assumed] A charge is told nowhere while no address is set in the portal.
  if (url !== null)
    deliveries.notify({ reference: session.id, url, payload: payloadOf(session, clock.now()) })
}

/** What the customer pays of what is due, as the scenario has it. */
function amountFor(effect: CheckoutEffect, due: Decimal, wished: Decimal | null): Result<Decimal> {
  const choice = effect.kind === 'pay' ? effect.amount : 'remaining'
  switch (choice) {
    case 'remaining':
      return { value: due }
    case 'part': {
      const part = wished ?? partOf(due)
      return compare(part, due) < 0 ? { value: part } : { failure: wrongAmount(`less than ${due}`) }
    }
    case 'excess': {
      const excess = wished ?? excessOver(due)
      return compare(excess, due) > 0 ? { value: excess } : { failure: wrongAmount(`more than ${due}`) }
    }
  }
}

function wrongAmount(rule: string): Failure {
  return {
    reason: 'field_wrong',
    code: CHECKOUT_CODE.validationFailed,
    problem: `The amount must be ${rule}.`,
  }
}
