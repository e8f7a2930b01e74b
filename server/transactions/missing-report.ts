/**
 * What a missing report means: the gateway was asked about a transaction, and does not know it, or its last deadline has
 * passed. Pure. `submission.ts` decides about a transaction that the gateway has not acknowledged; here, it has.
 */

import { raise } from './alarm.ts'
import { hasStood } from './observation.ts'
import { storedTime } from './record.ts'
import { DAY, LAST_DEADLINE_MS } from './schedule.ts'
import { unchanged } from './transition-result.ts'

import type { Alarm } from './alarm.ts'
import type { Overdue } from './observation.ts'
import type { Resolution } from './resolution.ts'
import type { TransitionResult } from './transition-result.ts'

/**
 * Why there is no report about a transaction, or none that counts. `unknown`: the gateway does not know the transaction.
 * `unfound`: the gateway was not queried, because it finds the transaction only by an id that the server does not know.
 * `unreachable`: the gateway knows it, and nobody has the address of its page. `overdue`: the last deadline has passed.
 */
export type Missing = 'unknown' | 'unfound' | 'unreachable' | Overdue['kind']

/** Why a person has to check an acknowledged transaction without a report, as a sentence. */
export const WHY_MISSING = {
  unknown: 'The gateway does not know it, and once acknowledged it.',
  overdue: `The gateway has reported no end for ${LAST_DEADLINE_MS / DAY} days.`,
} as const

/** The history entry of a settled transaction that the gateway no longer knows. Nothing is wrong with it. */
export const FORGOTTEN = 'The gateway no longer knows it.'

/**
 * Since when the gateway has not known an acknowledged transaction, or its recipient, in milliseconds since the Unix
 * epoch; `null` while it knows it. Servers of one gateway may lag behind each other: only what has been missing for
 * `REPORT_LAG_MS` is unknown.
 */
export const missing_since = storedTime.nullable()

/** What may be missing at the gateway: an acknowledged transaction or its recipient. */
interface Missable {
  missing_since: number | null
  alarm: Alarm | null
  resolution: Resolution | null
}

/** Returns the transaction or the recipient after the gateway has reported it. */
export function found<Subject extends Pick<Missable, 'missing_since'>>(subject: Subject): Subject {
  return subject.missing_since === null ? subject : { ...subject, missing_since: null }
}

/**
 * Returns the transition result of an acknowledged transaction, or of its recipient, which the gateway does not know;
 * `null` if the gateway has not known it for so long that it counts as unknown.
 *
 * @param isSettled Whether it has ended: the gateway may forget it then.
 */
export function missForNow<Subject extends Missable>(
  subject: Subject,
  isSettled: boolean,
  at: number,
): TransitionResult<Subject> | null {
  const { missing_since: since } = subject
  if (since === null) {
    const missing = { ...subject, missing_since: at }
    return { record: missing, historyEntry: isSettled ? FORGOTTEN : null }
  }

  const isUnknown = !isSettled && hasStood({ since }, at)
  return isUnknown ? null : unchanged(subject)
}

/**
 * Returns the transition result of a payout or a recipient that the gateway has acknowledged and does not report.
 *
 * @param isSettled Whether it has ended: the gateway may forget it then.
 */
export function alarmIfMissing<Subject extends Missable>(
  subject: Subject,
  isSettled: boolean,
  askedAt: number,
  why: 'unknown' | 'overdue',
): TransitionResult<Subject> {
  if (why === 'unknown') {
    return missForNow(subject, isSettled, askedAt) ?? raise(subject, WHY_MISSING.unknown, 'reported')
  }

  const isOver = isSettled || subject.alarm !== null
  return isOver ? unchanged(subject) : raise(subject, WHY_MISSING.overdue, 'settled')
}
