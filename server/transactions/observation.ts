/**
 * What the observations of all kinds have in common: those that every kind has, when the gateway gave an answer, and how
 * long a report has stood.
 */

import { REPORT_LAG_MS } from './schedule.ts'

import type { Resolution } from './resolution.ts'

/** An observation of every kind: the transaction did not end until its last deadline. A person has to check it. */
export type Overdue = { kind: 'overdue' }

/** An observation of every kind: a person found out what became of the money. */
export interface Resolving {
  kind: 'resolved'
  resolution: Resolution
  /** The part of the transaction (`about`) that is resolved; `null` for the whole transaction. */
  part: string | null
}

/**
 * Returns when the gateway gave an observed answer, by its own clock: the `at` of the observation. If the answer does
 * not say so, returns `askedAt`, which is by this server's clock.
 */
export function answeredAt(observation: object, askedAt: number): number {
  return 'at' in observation && typeof observation.at === 'number' ? observation.at : askedAt
}

/** A report, with the time at which the gateway was first heard to say what it says, in milliseconds since the epoch. */
export interface Heard {
  since: number
}

/**
 * Returns whether a report was first heard so long before `at` that the gateway no longer gives answers from before it.
 */
export function hasStood({ since }: Heard, at: number): boolean {
  return at - since >= REPORT_LAG_MS
}
