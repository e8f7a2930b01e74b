/**
 * What a reported status makes of a payout or of an airtime recipient: the whole transition for a report, and the
 * standing after it. Pure.
 */

import { z } from 'zod'

import { alarmAfter, raise } from '../transactions/alarm.ts'
import { isDenied } from '../transactions/consulted.ts'
import { found } from '../transactions/missing-report.ts'
import { hasStood } from '../transactions/observation.ts'
import { afterResolution, isKnownTo, resolvedStanding } from '../transactions/resolving.ts'
import { standing } from '../transactions/standing.ts'
import { hasEnded, isEnd, LATE } from '../transactions/told.ts'
import { changed, unchanged } from '../transactions/transition-result.ts'

import type { TrackedOutcome } from '../api/tracked.ts'
import type { Alarm } from '../transactions/alarm.ts'
import type { Consulted } from '../transactions/consulted.ts'
import type { Heard } from '../transactions/observation.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { Standing } from '../transactions/standing.ts'
import type { Told } from '../transactions/told.ts'
import type { TransitionResult } from '../transactions/transition-result.ts'

/** How a report of a payout or of a recipient differs from the request, as a sentence; `null` if it does not. */
export const difference = z.string().nullable()

/** A report of a payout or of a recipient. */
interface Compared extends Heard {
  difference: string | null
}

/** A payout, or a recipient. */
interface Subject<Reported> {
  /** What the gateway last reported; `since` is when it was first heard to report this status. */
  reported: Reported | null
  /** Since when the gateway has not known it; `null` while it does. */
  missing_since: number | null
  alarm: Alarm | null
  /** What a person found out; `null` if nobody resolved it. */
  resolution: Resolution | null
  consulted?: Consulted
  told: Told
}

/**
 * The meaning of a status, and the statuses that may follow. Every other status is an answer from before or, once this
 * one has stood ({@link hasStood}), a contradiction: the merchant may have acted on this one, so a person has to look.
 */
interface StatusRule<Status> {
  outcome: TrackedOutcome
  next: readonly Status[]
}

export interface StatusRules<Status extends number, Reported> {
  statusOf: (reported: Reported) => Status
  statuses: Readonly<Record<Status, StatusRule<Status>>>
}

/**
 * Returns the subject with the reported state. If the report contradicts the stored status, the stored state is kept,
 * and an alarm is raised. Returns the subject itself if nothing changed, so that nothing is stored.
 */
export function applyReport<Status extends number, Reported extends Compared, Kept extends Subject<Reported>>(
  rules: StatusRules<Status, Reported>,
  subject: Kept,
  heard: Reported,
): TransitionResult<Kept> {
  const { statusOf, statuses } = rules
  const status = statusOf(heard)
  const stored = subject.reported
  const before = stored && statusOf(stored)
  const { outcome } = statuses[status]
  const about = aboutOf(status, heard)
  if (isDenied(subject, about, outcome)) {
    return { record: found(subject), historyEntry: null }
  }

  const reported = stored && before === status ? { ...heard, since: stored.since } : heard
  if (stored && before !== null && before !== status && !statuses[before].next.includes(status)) {
    if (!hasStood(stored, heard.since)) {
      return unchanged(subject)
    }

    const why = `The gateway says ${status} after ${before}.`
    // Of two reports that contradict each other, a person has resolved which one counts; a third one does.
    if (subject.resolution === null || subject.alarm?.why === why) {
      return raise(subject, why, 'returned', about)
    }
  }

  const means = { outcome, settled: isEnd(outcome) && heard.difference === null }
  const alarm = alarmAfter(subject.alarm, means, status !== before)
  const isSame = JSON.stringify(subject.reported) === JSON.stringify(reported)
  if (isSame && (isKnownTo(subject) ?? alarm === subject.alarm)) {
    return { record: found(subject), historyEntry: null }
  }

  // Other details of what the person knew say nothing otherwise.
  const isKnown = before === status && stored?.difference === heard.difference && isKnownTo(subject) === true
  const heardOf = { ...found(subject), reported, alarm }
  const next = isKnown ? heardOf : afterResolution(heardOf, outcome, about)
  const { outcome: became, attention } = acknowledgedStanding(rules, next)
  return changed(next, [`The gateway says ${status}: ${became}.`, attention].filter(Boolean).join(' '))
}

/** Returns what a report of a payout or of a recipient says, in short. */
export function aboutOf(status: number, { difference: other }: Pick<Compared, 'difference'>): string {
  return other === null ? String(status) : `${status} ${other}`
}

/**
 * Returns the standing of a subject that the gateway has acknowledged. If its report differs from the request, a person has
 * to check it, whatever the status.
 */
export function acknowledgedStanding<Status extends number, Reported extends Compared>(
  { statusOf, statuses }: StatusRules<Status, Reported>,
  subject: Subject<Reported>,
): Standing {
  const resolved = resolvedStanding(subject)
  if (resolved) {
    return resolved
  }

  const { reported } = subject
  // If a person has to check the subject, it stays unsettled, so that its status is queried again.
  if (reported === null) {
    return standingOf('pending', subject, null)
  }

  const status = statusOf(reported)
  const differs = reported.difference && `${reported.difference} Its status is ${status}.`
  return standingOf(statuses[status].outcome, subject, differs)
}

/**
 * Returns the standing of a payout or a recipient that the gateway has acknowledged.
 *
 * @param outcome What the last report means.
 * @param differs How the report differs from the request, as a sentence; `null` if it does not.
 */
export function standingOf(
  outcome: TrackedOutcome,
  { alarm, told }: Pick<Subject<unknown>, 'alarm' | 'told'>,
  differs: string | null,
): Standing {
  const isLate = (outcome === 'succeeded' || outcome === 'pending') && hasEnded(told)
  return standing(outcome, alarm?.why ?? differs ?? (isLate ? LATE[outcome] : null))
}
