import {
  AIRTIME_RESULT_DELAY_MS,
  AIRTIME_PROCESSING_DELAY_MS,
  GIVE_BACK_MS,
  SCENARIOS,
  scenarioOfPhone,
} from '../scenarios.ts'
import { movementInto } from './movements.ts'
import { entryOf } from './recipient.ts'
import type { Failure } from '../wire/failure.ts'
import type { AirtimeEffect, AirtimeScenario } from '../scenarios.ts'
import type { World } from '../world.ts'
import type { Recipient, RecipientState } from './recipient.ts'

export function scheduleResults(world: World, recipients: readonly Recipient[]): void {
  later(world, recipients, AIRTIME_PROCESSING_DELAY_MS, (waiting) => {
    moveAll(world, waiting, () => ({ kind: 'processing' }))
    // Recipients with the same scenario share a task, so a request with 1,000 recipients needs few tasks.
    for (const [scenario, those] of byScenario(world, waiting)) {
      const effect: AirtimeEffect = SCENARIOS[scenario].airtime
      later(world, those, AIRTIME_RESULT_DELAY_MS - AIRTIME_PROCESSING_DELAY_MS, (begun) =>
        applyResult(world, begun, effect),
      )
    }
  })
}

export function playScenario(world: World, recipient: Recipient, scenario: AirtimeScenario): Failure | null {
  const effect: AirtimeEffect = SCENARIOS[scenario].airtime
  const problem = transitionProblem(recipient, effect)
  if (problem !== null) return { reason: 'not_possible_now', problem }
  applyEffect(world, [recipient], effect)
  return null
}

function transitionProblem({ state }: Recipient, effect: AirtimeEffect): string | null {
  switch (effect.kind) {
    case 'give_back':
      return state.kind === 'delivered' ? null : `It is ${state.kind}; only what was delivered can come back.`
    case 'deliver':
    case 'fail':
    case 'jam':
    case 'reprocess':
      return ['unprocessed', 'processing', 'jammed', 'reprocessing'].includes(state.kind)
        ? null
        : `It has ended: it is ${state.kind}.`
  }
}

function applyResult(world: World, recipients: readonly Recipient[], effect: AirtimeEffect): void {
  if (effect.kind !== 'give_back') return applyEffect(world, recipients, effect)
  deliver(world, recipients)
  later(world, recipients, GIVE_BACK_MS, (delivered) => applyEffect(world, delivered, effect))
}

function applyEffect(world: World, recipients: readonly Recipient[], effect: AirtimeEffect): void {
  switch (effect.kind) {
    case 'deliver':
      return effect.afterMs === 0
        ? deliver(world, recipients)
        : deliverLater(world, recipients, effect.afterMs)
    case 'fail':
      return moveAll(world, recipients, () => ({ kind: 'failed', result: effect.result }))
    case 'jam':
      return moveAll(world, recipients, () => ({ kind: 'jammed' }))
    case 'reprocess':
      moveAll(world, recipients, () => ({ kind: 'reprocessing' }))
      return later(world, recipients, AIRTIME_RESULT_DELAY_MS, (again) =>
        deliverLater(world, again, AIRTIME_RESULT_DELAY_MS),
      )
    case 'give_back':
      return moveAll(world, recipients, ({ state }) =>
        state.kind === 'delivered' ? { kind: effect.as, receipt: state.receipt } : state,
      )
  }
}

function deliver(world: World, recipients: readonly Recipient[]): void {
  moveAll(world, recipients, () => ({ kind: 'delivered', receipt: world.randomness.receipt() }))
}

function deliverLater(world: World, recipients: readonly Recipient[], ms: number): void {
  moveAll(world, recipients, () => ({ kind: 'processing' }))
  later(world, recipients, ms, (begun) => deliver(world, begun))
}

function later(
  world: World,
  recipients: readonly Recipient[],
  ms: number,
  step: (recipients: readonly Recipient[]) => void,
): void {
  const before = new Map(recipients.map((recipient) => [recipient, recipient.state]))
  world.clock.after(ms, () => step(recipients.filter((each) => each.state === before.get(each))))
}

// [spec: Events]
function moveAll(
  world: World,
  recipients: readonly Recipient[],
  next: (recipient: Recipient) => RecipientState,
): void {
  const { ledger, deliveries, clock, portal } = world
  const url = portal.addresses().airtime_callback_url
  for (const recipient of recipients) {
    const state = next(recipient)
    const movement = movementInto(state, recipient)
    if (movement) ledger.post(movement, clock.now())
    recipient.history.push({ at: clock.now(), state })
    recipient.state = state
    // [assumed] Status 601 (processing) is not a result, so no callback is sent.
    if (url !== null && state.kind !== 'processing')
      deliveries.notify({ reference: recipient.reference, url, payload: entryOf(recipient) })
  }
}

function byScenario(world: World, recipients: readonly Recipient[]): Map<AirtimeScenario, Recipient[]> {
  const groups = new Map<AirtimeScenario, Recipient[]>()
  for (const recipient of recipients) {
    const scenario = scenarioOfPhone(world, recipient.phoneNumber) ?? 'success'
    const group = groups.get(scenario)
    if (group) group.push(recipient)
    else groups.set(scenario, [recipient])
  }
  return groups
}
