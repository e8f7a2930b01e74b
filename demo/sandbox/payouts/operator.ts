import { movementInto } from './movements.ts'
import { payoutPayloadOf } from './result.ts'
import { setPayoutState } from './payout.ts'
import { GIVE_BACK_MS, PAYOUT_RESULT_DELAY_MS, SCENARIOS } from '../scenarios.ts'
import type { Failure } from '../wire/failure.ts'
import type { Payout, PayoutState } from './payout.ts'
import type { PayoutEffect, PayoutScenario } from '../scenarios.ts'
import type { World } from '../world.ts'

type AcceptedEffect = Exclude<PayoutEffect, { kind: 'reject' }>

export function scheduleResult(world: World, payout: Payout, effect: AcceptedEffect): void {
  switch (effect.kind) {
    case 'settle':
      return later(world, payout, PAYOUT_RESULT_DELAY_MS + effect.afterMs, () => pay(world, payout))
    case 'fail':
    case 'jam':
      return later(world, payout, PAYOUT_RESULT_DELAY_MS, () => applyEffect(world, payout, effect))
    case 'give_back':
      return later(world, payout, PAYOUT_RESULT_DELAY_MS, () => {
        pay(world, payout)
        later(world, payout, GIVE_BACK_MS, () => applyEffect(world, payout, effect))
      })
  }
}

const MAX_PLANNED = 10_000

/** Stores the scenario of a payout that does not exist yet. */
export function planScenario(
  { plannedScenarios }: World,
  payout_reference: string,
  scenario: PayoutScenario,
): Failure | null {
  if (plannedScenarios.size >= MAX_PLANNED)
    return notPossible('Too many payouts are awaited; reset to go on.')
  plannedScenarios.set(payout_reference, scenario)
  return null
}

export function playScenario(world: World, payout: Payout, scenario: PayoutScenario): Failure | null {
  const effect: PayoutEffect = SCENARIOS[scenario].payout
  if (effect.kind === 'reject') return notPossible('The payout was accepted, so it can no longer be refused.')
  const problem = transitionProblem(payout, effect)
  if (problem !== null) return notPossible(problem)
  applyEffect(world, payout, effect)
  return null
}

function transitionProblem({ state }: Payout, effect: AcceptedEffect): string | null {
  const isOpen = state.kind === 'pending' || state.kind === 'jammed'
  switch (effect.kind) {
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

function applyEffect(world: World, payout: Payout, effect: AcceptedEffect): void {
  switch (effect.kind) {
    case 'settle':
      return effect.afterMs === 0 ? pay(world, payout) : payLater(world, payout, effect.afterMs)
    case 'fail':
      return move(world, payout, { kind: 'failed', result: effect.result })
    case 'jam':
      return move(world, payout, { kind: 'jammed' })
    case 'give_back':
      if (payout.state.kind === 'paid')
        move(world, payout, { kind: effect.as, receipt: payout.state.receipt })
  }
}

function pay(world: World, payout: Payout): void {
  move(world, payout, { kind: 'paid', receipt: world.randomness.receipt() })
}

// Steps that were scheduled before are skipped, because the state has changed.
function payLater(world: World, payout: Payout, ms: number): void {
  setPayoutState(payout, { kind: 'pending' }, payout.balance, world.clock.now())
  later(world, payout, ms, () => pay(world, payout))
}

function later(world: World, payout: Payout, ms: number, step: () => void): void {
  const { state } = payout
  world.clock.after(ms, () => {
    if (payout.state === state) step()
  })
}

// [spec: Events]
function move(world: World, payout: Payout, state: PayoutState): void {
  const { ledger, deliveries, clock, portal } = world
  const { accountNumber, currency } = payout.funds
  const now = clock.now()
  const movement = movementInto(state, payout.funds)
  if (movement) ledger.post(movement, now)
  setPayoutState(payout, state, ledger.balanceOf(`float/${accountNumber}/${currency}`), now)
  const { callback_url, payout_reference } = payout.instruction.request
  // [assumed] The callback of a transfer without a callback_url goes to the portal's address of B2C notifications.
  const url = callback_url ?? portal.addresses().b2c_callback_url
  if (url !== null) deliveries.notify({ reference: payout_reference, url, payload: payoutPayloadOf(payout) })
}
