/**
 * The simulated operators and banks that take payouts to their recipients, or fail to. Acceptance, magic numbers
 * and the control interface all come through here, and with each step of a payout its money moves in the books.
 */

import { movementInto } from './movements.ts'
import { payoutPayloadOf } from './result.ts'
import { setPayoutState } from './payout.ts'
import { GIVE_BACK_MS, PAYOUT_MS, SCENARIOS } from '../scenarios.ts'
import type { Failure } from '../wire/failure.ts'
import type { Payout, PayoutState } from './payout.ts'
import type { PayoutEffect, PayoutScenario } from '../scenarios.ts'
import type { World } from '../world.ts'

/** What may come of a payout that was accepted. */
type Outcome = Exclude<PayoutEffect, { kind: 'reject' }>

/** Takes up a payout that was accepted: something comes of it after a moment. */
export function scheduleResult(world: World, payout: Payout, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'settle':
      return later(world, payout, PAYOUT_MS + outcome.afterMs, () => pay(world, payout))
    case 'fail':
    case 'jam':
      return later(world, payout, PAYOUT_MS, () => applyEffect(world, payout, outcome))
    case 'give_back':
      return later(world, payout, PAYOUT_MS, () => {
        pay(world, payout)
        later(world, payout, GIVE_BACK_MS, () => applyEffect(world, payout, outcome))
      })
  }
}

/**
 * Does with the payout at once what the scenario says; only `slow` takes its time. What is pending or jammed can
 * end one way or the other; what was paid can come back. Answers why nothing was done, or `null`.
 */
export function playScenario(world: World, payout: Payout, scenario: PayoutScenario): Failure | null {
  const effect: PayoutEffect = SCENARIOS[scenario].payout
  if (effect.kind === 'reject') return notPossible('The payout was accepted, so it can no longer be refused.')
  const problem = transitionProblem(payout, effect)
  if (problem !== null) return notPossible(problem)
  applyEffect(world, payout, effect)
  return null
}

function transitionProblem({ state }: Payout, outcome: Outcome): string | null {
  const isOpen = state.kind === 'pending' || state.kind === 'jammed'
  switch (outcome.kind) {
    case 'give_back':
      return state.kind === 'paid' ? null : `The payout is ${state.kind}; only a paid one can come back.`
    case 'settle':
    case 'fail':
    case 'jam':
      return isOpen ? null : `The payout has ended: it is ${state.kind}.`
  }
}

function notPossible(problem: string): Failure {
  return { reason: 'not_possible_now', problem }
}

function applyEffect(world: World, payout: Payout, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'settle':
      return outcome.afterMs === 0 ? pay(world, payout) : payLater(world, payout, outcome.afterMs)
    case 'fail':
      return move(world, payout, { kind: 'failed', result: outcome.result })
    case 'jam':
      return move(world, payout, { kind: 'jammed' })
    case 'give_back':
      if (payout.state.kind === 'paid')
        move(world, payout, { kind: outcome.as, receipt: payout.state.receipt })
  }
}

function pay(world: World, payout: Payout): void {
  move(world, payout, { kind: 'paid', receipt: world.randomness.receipt() })
}

/** A jammed payout is on its way again; whatever else was to come of it no longer does. */
function payLater(world: World, payout: Payout, ms: number): void {
  setPayoutState(payout, { kind: 'pending' }, payout.balance, world.clock.now())
  later(world, payout, ms, () => pay(world, payout))
}

/** Unless somebody has moved the payout on in the meantime. */
function later(world: World, payout: Payout, ms: number, step: () => void): void {
  const { state } = payout
  world.clock.after(ms, () => {
    if (payout.state === state) step()
  })
}

/** Moves the payout and its money, and tells the merchant. [spec: Events] */
function move(world: World, payout: Payout, state: PayoutState): void {
  const { ledger, deliveries, clock, portal } = world
  const { accountNumber, currency } = payout.funds
  const now = clock.now()
  const movement = movementInto(state, payout.funds)
  if (movement) ledger.post(movement, now)
  setPayoutState(payout, state, ledger.balanceOf(`float/${accountNumber}/${currency}`), now)
  const { callback_url, payout_reference } = payout.instruction.request
  // [assumed] A transfer without a callback_url is told to the portal's address of B2C notifications.
  const url = callback_url ?? portal.addresses().b2c_callback_url
  if (url !== null) deliveries.notify({ reference: payout_reference, url, payload: payoutPayloadOf(payout) })
}
