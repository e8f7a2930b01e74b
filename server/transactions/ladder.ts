/**
 * Computes the next state of a payout or of an airtime recipient from the status that the gateway reports. What differs
 * between the two is in their tables of statuses. Pure.
 */

import type { TrackedOutcome } from '../api/tracked.ts'
import type { Alarm, Standing, Told, TransitionResult } from './transition.ts'
import { alarmAfter, changed, raise, standingOf, unchanged } from './transition.ts'

/** A payout, or a recipient: what the gateway last reported of it, and what the merchant was told. */
interface Subject<Reported> {
  reported: Reported | null
  alarm: Alarm | null
  told: Told
}

/**
 * The meaning of a status, and the statuses that may follow. Any other status is an outdated answer, unless it
 * contradicts this one: the merchant may have acted on it, so a person has to check.
 */
interface Rung<Status> {
  outcome: TrackedOutcome
  next: readonly Status[]
  contradictedBy?: readonly Status[]
}

export interface Ladder<Status extends number, Reported> {
  statusOf: (reported: Reported) => Status
  statuses: Readonly<Record<Status, Rung<Status>>>
}

/**
 * Returns the subject with the reported state. If the report differs from the request, or contradicts the stored
 * status, the stored state is kept, and an alarm is raised. Returns the subject itself if nothing changed, so that
 * nothing is stored.
 *
 * @param reported The reported state, or a sentence that states how the report differs from the request.
 */
export function report<Status extends number, Reported extends object, Kept extends Subject<Reported>>(
  { statusOf, statuses }: Ladder<Status, Reported>,
  subject: Kept,
  reported: Reported | string,
): TransitionResult<Kept> {
  if (typeof reported === 'string') return raise(subject, reported, 'reported')
  const status = statusOf(reported)
  const before = subject.reported && statusOf(subject.reported)
  if (before !== null && before !== status) {
    const { next, contradictedBy } = statuses[before]
    if (contradictedBy?.includes(status))
      return raise(subject, `The gateway says ${status} after ${before}.`, 'returned')
    if (!next.includes(status)) return unchanged(subject)
  }
  const { outcome } = statuses[status]
  const alarm = alarmAfter(subject.alarm, outcome, status !== before)
  const isSame = JSON.stringify(subject.reported) === JSON.stringify(reported)
  if (isSame && alarm === subject.alarm) return unchanged(subject)
  const next = { ...subject, reported, alarm }
  return changed(next, `The gateway says ${status}: ${standingOf(outcome, next).outcome}.`)
}

/** Returns the standing of a subject that the gateway has acknowledged. */
export function standingOn<Status extends number, Reported>(
  { statusOf, statuses }: Ladder<Status, Reported>,
  subject: Subject<Reported>,
): Standing {
  const { reported } = subject
  // If a person has to check the subject, it stays unsettled, so that its status is queried again.
  return standingOf(reported ? statuses[statusOf(reported)].outcome : 'pending', subject)
}
