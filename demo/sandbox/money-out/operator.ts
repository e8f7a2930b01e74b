// The simulated operators, which settle payouts and airtime after their acknowledgement. [spec: Events]

import { notPossible } from '../errors/failure.ts'
import { GIVE_BACK_MS, RESULT_DELAY_MS } from '../scenarios.ts'
import { entryOf } from './airtime-recipient.ts'
import { movementInto } from './funds.ts'
import { payoutPayloadOf } from './payout.ts'

import type { Failure } from '../errors/failure.ts'
import type { PayoutEffect, SettlementEffect } from '../scenarios.ts'
import type { World } from '../world.ts'
import type { Recipient } from './airtime-recipient.ts'
import type { State } from './funds.ts'
import type { Payout } from './payout.ts'

/** Payouts or recipients that settle at the same time, in one task: so 1,000 recipients need few tasks. */
type Items = readonly (Payout | Recipient)[]
type Step<Item> = (items: readonly Item[]) => void

/** Applies an effect to payouts or airtime `ms` milliseconds from now. What is given back is paid before. */
export function scheduleResult(world: World, items: Items, effect: SettlementEffect, ms = RESULT_DELAY_MS) {
  ifUnchangedAfter(world, ms, items, (unchanged) => {
    if (effect.kind !== 'give_back') {
      return applyEffect(world, unchanged, effect)
    }

    pay(world, unchanged)
    ifUnchangedAfter(world, GIVE_BACK_MS, unchanged, (paid) => applyEffect(world, paid, effect))
  })
}

/** Applies an effect now. Returns a failure if it is not possible in the state of the payout or the airtime. */
export function play(world: World, item: Payout | Recipient, effect: PayoutEffect): Failure | null {
  const { kind } = item.state
  if (effect.kind === 'reject') {
    return notPossible('It was accepted, so it can no longer be refused.')
  }
  if (effect.kind === 'give_back' && kind !== 'paid') {
    return notPossible(`It is ${kind}; only what was paid can come back.`)
  }
  // Once the reserved money has moved, the item has ended, and can only be given back.
  if (effect.kind !== 'give_back' && movementInto(item.state, item.funds) !== null) {
    return notPossible(`It has ended: it is ${kind}.`)
  }

  applyEffect(world, [item], effect)
  return null
}

function applyEffect(world: World, items: Items, effect: SettlementEffect): void {
  switch (effect.kind) {
    case 'settle':
      return effect.afterMs === 0 ? pay(world, items) : payLater(world, items, effect.afterMs)
    case 'fail':
      return move(world, items, () => ({ kind: 'failed', result: effect.result }))
    case 'jam':
      return move(world, items, () => ({ kind: 'jammed' }))
    case 'reprocess':
      move(world, items, () => ({ kind: 'reprocessing' }))
      return ifUnchangedAfter(world, RESULT_DELAY_MS, items, (unchanged) =>
        payLater(world, unchanged, RESULT_DELAY_MS),
      )
    case 'give_back':
      return move(world, items, ({ state }) =>
        'receipt' in state ? { kind: effect.as, receipt: state.receipt } : state,
      )
  }
}

function pay(world: World, items: Items): void {
  move(world, items, () => ({ kind: 'paid', receipt: world.randomness.receipt() }))
}

function payLater(world: World, items: Items, ms: number): void {
  process(world, items)
  ifUnchangedAfter(world, ms, items, (unchanged) => pay(world, unchanged))
}

export function process(world: World, items: Items): void {
  move(world, items, () => ({ kind: 'processing' }))
}

/**
 * Runs `step` after `ms` milliseconds, with those of the items whose state is unchanged: a person may have settled the
 * others meanwhile.
 */
export function ifUnchangedAfter<T extends Items[number]>(
  world: World,
  ms: number,
  items: readonly T[],
  step: Step<T>,
): void {
  const stateBefore = new Map(items.map((item) => [item, item.state]))
  world.clock.after(ms, () => step(items.filter((item) => item.state === stateBefore.get(item))))
}

/** Gives each item its next state, moves its money, and sends the callback. */
function move(world: World, items: Items, next: (item: Payout | Recipient) => State): void {
  const { ledger, clock } = world
  for (const item of items) {
    const { funds, history } = item
    const state = next(item)
    const movement = movementInto(state, funds)
    const now = clock.now()
    if (movement) {
      ledger.post(movement, now)
    }
    if (state.kind !== item.state.kind) {
      history.push({ at: now, state })
    }

    const balance = ledger.balanceOf(`float/${funds.accountNumber}/${funds.currency}`)
    Object.assign(item, { state, changedAt: now, balance })
    // [assumed] Status 601 (processing) is not a result, so no callback is sent.
    if (state.kind !== 'processing') {
      notify(world, item)
    }
  }
}

function notify({ deliveries, portal }: World, item: Payout | Recipient): void {
  const { airtime_callback_url, b2c_callback_url } = portal.addresses()
  if ('phoneNumber' in item) {
    return deliveries.notify({ reference: item.reference, url: airtime_callback_url, payload: entryOf(item) })
  }

  const { callback_url, payout_reference: reference } = item.instruction.request
  // [assumed] The callback of a transfer without a callback_url goes to the portal's address of B2C notifications.
  deliveries.notify({ reference, url: callback_url ?? b2c_callback_url, payload: payoutPayloadOf(item) })
}
