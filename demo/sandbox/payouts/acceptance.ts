// [assumed] The checks run in this order, and the first failure determines the response: token and body; whether the
// reference was accepted before (722); fields; service; wallet; currencies, amounts and rate; callback_url; scenario;
// balance of the float. A refused payout is not stored, so its reference can be used again.

import { safeParse } from '../../../server/contract/safe-parse.ts'
import { present } from '../wire/fields.ts'
import { reserve } from './movements.ts'
import { scheduleResult } from './operator.ts'
import { rejected, rejectFields } from '../wire/acknowledgement.ts'
import { SCENARIOS, scenarioOfRecipient } from '../scenarios.ts'
import type { z } from 'zod'
import type { Fields } from '../wire/fields.ts'
import type { Service } from '../merchant.ts'
import type { Funds, Instruction, Payout } from './payout.ts'
import type { Checked } from '../wire/acknowledgement.ts'
import type { PayoutEffect, PayoutScenario } from '../scenarios.ts'
import type { World } from '../world.ts'

const MAX_PAYOUTS = 100_000

export function read<T>(world: World, body: Fields, schema: z.ZodType<T>): Checked<T> {
  const { payout_reference } = body
  if (typeof payout_reference === 'string' && world.payouts.has(payout_reference))
    return rejected(
      'DUPLICATE_IGNORED',
      `A payout ${JSON.stringify(payout_reference)} was already submitted.`,
    )
  const parsed = safeParse(schema, present(body))
  return parsed.success ? { value: parsed.data } : rejectFields(parsed.error)
}

export function serviceFor(
  { services, environment, onboarding }: World,
  kind: Instruction['kind'],
  service_code: string,
): Checked<Service> {
  const service = services.find(kind, service_code)
  // [spec: What the service does, 4]
  if (environment === 'production' && !onboarding.isComplete())
    return rejected(
      'SERVICE_NOT_ALLOWED',
      'Payouts are allowed once the onboarding in the portal is complete.',
    )
  if (service) return { value: service }
  const name = JSON.stringify(service_code)
  return rejected('SERVICE_NOT_ALLOWED', `service_code ${name} does not allow these payouts.`)
}

/**
 * Reserves the money, stores the payout and schedules its result. Returns a rejection if the scenario rejects the
 * payout, if the merchant's balance is too low, or if the sandbox already stores its maximum number of payouts.
 *
 * @param recipient The recipient's phone or account number, whose last four digits may select a scenario.
 */
export function accept(
  world: World,
  instruction: Instruction,
  funds: Omit<Funds, 'reference'>,
  recipient: string,
): Checked<Payout> {
  const { payout_reference: reference } = instruction.request
  const scenario = takePlannedScenario(world, reference) ?? scenarioOfRecipient(world, recipient) ?? 'success'
  const { does, payout: effect }: { does: string; payout: PayoutEffect } = SCENARIOS[scenario]
  if (effect.kind === 'reject') return rejected(effect.error_code, `${does} (scenario ${scenario}).`)
  if (world.payouts.size >= MAX_PAYOUTS)
    return rejected('FAILED', `The sandbox keeps ${MAX_PAYOUTS} payouts; reset it to go on.`)

  const now = world.clock.now()
  const whole: Funds = { ...funds, reference }
  const movement = reserve(whole)
  const float = `float/${whole.accountNumber}/${whole.currency}` as const
  if (world.ledger.overdrawnBy(movement) !== null) {
    const held = `${whole.currency} ${world.ledger.balanceOf(float)}`
    return rejected('INSUFFICIENT_BALANCE', `The float has ${held}, less than amount and fee.`)
  }

  world.ledger.post(movement, now)
  const state = { kind: 'pending' } as const
  const payout: Payout = {
    instruction,
    paymentId: world.randomness.hex(24),
    funds: whole,
    createdAt: now,
    history: [{ at: now, state }],
    state,
    changedAt: now,
    balance: world.ledger.balanceOf(float),
  }
  world.payouts.set(reference, payout)
  scheduleResult(world, payout, effect)
  return { value: payout }
}

function takePlannedScenario({ plannedScenarios }: World, reference: string): PayoutScenario | undefined {
  const plan = plannedScenarios.get(reference)
  plannedScenarios.delete(reference)
  return plan
}
