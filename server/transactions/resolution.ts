/**
 * What a person found out about a transaction that asking the gateway cannot find out, for example from the gateway's
 * support. A resolution gives the transaction an end. It never confirms a service and never moves money. Pure.
 */

import { z } from 'zod'

import { FOR_A_PERSON } from '../store/transactions.ts'
import { storedTime } from './record.ts'

import type { TrackedOutcome } from '../api/tracked.ts'

/**
 * What became of the money: `paid` (received, or delivered to the recipient), `not_paid` (nothing was paid), or
 * `returned` (it was paid and came back).
 */
export const SAYS = ['paid', 'not_paid', 'returned'] as const
export type Says = (typeof SAYS)[number]

/** A resolution: what a person says, who the person is, and why. `at` is in milliseconds since the Unix epoch. */
export const Resolution = z.object({
  says: z.enum(SAYS),
  by: z.string(),
  note: z.string(),
  at: storedTime,
})
export type Resolution = z.output<typeof Resolution>

/** The outcome of a resolved payout, charge or recipient. */
export const RESOLVED_OUTCOME = {
  paid: 'succeeded',
  not_paid: 'failed',
  returned: 'refunded',
} as const satisfies Record<Says, TrackedOutcome>

/**
 * The outcomes that may follow a resolution. After `paid`, money may be returned. After `not_paid`, somebody may pay:
 * the report then counts as one about any pay-in that has ended unpaid.
 */
const FOLLOWING: Record<Says, readonly string[]> = {
  paid: ['paid', 'succeeded', 'reversed', 'refunded'],
  not_paid: ['unpaid', 'failed', 'expired', 'waiting', 'pending'],
  returned: ['reversed', 'refunded'],
}

/** Returns whether an outcome alone needs a person. */
export function needsPerson(outcome: string): boolean {
  return FOR_A_PERSON.some((each) => each === outcome)
}

/** Returns whether an outcome contradicts what a person said. */
export function isOtherwise(says: Says, outcome: string): boolean {
  return !FOLLOWING[says].includes(outcome)
}

/** Returns whether an outcome is what a person said. What went back since it was paid may follow, and is news. */
export function isAsSaid(says: Says, outcome: string): boolean {
  const isReturned = FOLLOWING.returned.includes(outcome)
  return !isOtherwise(says, outcome) && (says === 'returned' || !isReturned)
}

/** Returns a sentence if an outcome contradicts a resolution; `null` if it may follow. */
export function contradictionOf({ says, by }: Resolution, outcome: string): string | null {
  if (!isOtherwise(says, outcome)) {
    return null
  }
  return `The gateway reports ${outcome}, and ${by} resolved it as ${says}.`
}

/** Returns the history entry of a resolution. */
export function describeResolution({ says, by, note }: Resolution): string {
  return `Resolved as ${says} by ${by}: ${note}`
}

/** Returns whether a person resolved the subject between two states. */
export function isNewResolution(
  before: { resolution: Resolution | null },
  after: { resolution: Resolution | null },
): boolean {
  return after.resolution !== null && JSON.stringify(after.resolution) !== JSON.stringify(before.resolution)
}
