/** An alarm: why a person has to check a transaction or a recipient, and what ends it. Pure. */

import { z } from 'zod'

import { answerTo, askedAbout } from './consulted.ts'
import { isReturn } from './told.ts'
import { changed, unchanged } from './transition-result.ts'

import type { Consulted } from './consulted.ts'
import type { Resolution } from './resolution.ts'
import type { TransitionResult } from './transition-result.ts'

/**
 * Why a person has to check a transaction or a recipient, as a sentence, and the kind of report that resolves it. Other
 * reports do not, however often they are repeated:
 *
 * - `reported`: a report that agrees with the request. The gateway did not know the transaction, or had other terms.
 * - `settled`: a report that settles the transaction. It was open for too long.
 * - `returned`: a new status, by which the money was returned. The gateway's reports contradict each other.
 * - `refunded`: the same, or a report of the refund that the merchant has asked for. It has not come for too long.
 * - `resolved`: a new status, by which the money was returned, or a person. The gateway contradicts what a person said.
 * - `confirmed`: the gateway's answer to the merchant's decision, or a return of the money. The decision could not be
 *   delivered for too long.
 */
export const Alarm = z.object({
  why: z.string(),
  until: z.enum(['reported', 'settled', 'returned', 'refunded', 'resolved', 'confirmed']),
})
export type Alarm = z.output<typeof Alarm>

/** Returns whether an alarm is about contradictory reports, or about one that contradicts a person. */
export function isContradicted(alarm: Alarm | null): boolean {
  return alarm?.until === 'returned' || alarm?.until === 'resolved'
}

/** Returns whether it is in doubt what became of the money: reports contradict each other, and no person has resolved it. */
export function isInDoubt({
  alarm,
  resolution,
}: {
  alarm: Alarm | null
  resolution: Resolution | null
}): boolean {
  return isContradicted(alarm) && resolution === null
}

/** What may need a person, and what the person said. */
export interface Consulting {
  alarm: Alarm | null
  resolution: Resolution | null
  consulted?: Consulted
}

/**
 * Returns a transition result with an alarm. An alarm about a contradiction is not replaced before it is resolved. A new
 * alarm ends a resolution: the person did not know of it.
 *
 * @param about The report that contradicts the one before; `null` if none does.
 */
export function raise<Subject extends Consulting>(
  subject: Subject,
  why: string,
  until: Alarm['until'],
  about: string | null = null,
): TransitionResult<Subject> {
  const { alarm } = subject
  const isStanding = alarm?.why === why || isInDoubt(subject)
  if (isStanding || answerTo(subject, about) !== null) {
    return unchanged(subject)
  }

  const asked = about === null ? subject : { ...subject, consulted: askedAbout(subject, about) }
  return changed({ ...asked, alarm: { why, until }, resolution: null }, why)
}

/**
 * Returns the alarm that stands after a report that agrees with the request.
 *
 * @param means What the report means without the alarm.
 * @param isNewStatus Whether the report has another status than the report before.
 */
export function alarmAfter(
  alarm: Alarm | null,
  means: { outcome: string; settled: boolean },
  isNewStatus: boolean,
): Alarm | null {
  const isReturned = isNewStatus && isReturn(means.outcome)
  switch (alarm?.until) {
    case 'settled':
      return means.settled ? null : alarm
    case 'returned':
    case 'refunded':
    case 'resolved':
    case 'confirmed':
      return isReturned ? null : alarm
    case 'reported':
    case undefined:
      return null
  }
}
