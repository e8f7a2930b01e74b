/**
 * What the transitions of several kinds have in common: their results, the alarms for a person, and what the merchant
 * was told. A transition is a pure function that computes the next record of a transaction from an observation.
 * `money-out/` has what payouts and airtime share, `payins/` what checkouts and charges share.
 */

import { z } from 'zod'

import {
  contradictionOf,
  describeResolution,
  isAsSaid,
  isOtherwise,
  needsPerson,
  RESOLVED_OUTCOME,
  SAYS,
} from './resolution.ts'
import { REPORT_LAG_MS } from './schedule.ts'

import type { TrackedOutcome, TrackedState } from '../api/tracked.ts'
import type { Resolution, Says } from './resolution.ts'

/** What a transition returns: the next record and the history entry. */
export interface TransitionResult<Record> {
  record: Record
  /** One sentence for the transaction's history; `null` if no entry is added. */
  historyEntry: string | null
  /** Whether nobody but the server sees what has changed: the version of the transaction stays. */
  isUnseen?: true
}

/** Returns a transition result that changes nothing: the same record and no history entry. */
export function unchanged<Record>(record: Record): TransitionResult<Record> {
  return { record, historyEntry: null }
}

/** Returns a transition result with `record` and a history entry. */
export function changed<Record>(record: Record, historyEntry: string): TransitionResult<Record> {
  return { record, historyEntry }
}

/**
 * Returns when the gateway gave an observed answer, by its own clock: the `at` of the observation. If the answer does
 * not say so, returns `askedAt`, which is by this server's clock.
 */
export function answeredAt(observation: object, askedAt: number): number {
  return 'at' in observation && typeof observation.at === 'number' ? observation.at : askedAt
}

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

/**
 * The reports about which a person was called, each by what it says, and what the person has said since; `null` before
 * that. A gateway may contradict itself without end: once there is a word, none of these reports calls anybody again. The
 * word outlives its resolution, which a report that agrees ends, and is void when the gateway says something new.
 */
export const Consulted = z.object({ about: z.array(z.string()), says: z.enum(SAYS).nullable() })
export type Consulted = z.output<typeof Consulted>

/** What may need a person, and what the person said. */
interface Consulting {
  alarm: Alarm | null
  resolution: Resolution | null
  consulted?: Consulted
}

/** Returns what a person is asked about a report, and about those before it. */
function askedAbout({ consulted }: Pick<Consulting, 'consulted'>, report: string): Consulted {
  const about = consulted?.about ?? []
  return { about: about.includes(report) ? about : [...about, report], says: null }
}

/** Returns what a person has said since a report has called the person; `null` if this is no such report. */
function answerTo({ consulted }: Pick<Consulting, 'consulted'>, about: string | null): Says | null {
  const isAsked = consulted !== undefined && about !== null && consulted.about.includes(about)
  return isAsked ? consulted.says : null
}

/** Returns whether a person was called about a report, and has said otherwise: it is then left out. */
export function isDenied(subject: Pick<Consulting, 'consulted'>, about: string, outcome: string): boolean {
  const says = answerTo(subject, about)
  return says !== null && isOtherwise(says, outcome)
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
  const isReturned = isNewStatus && RETURNS.includes(means.outcome)
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

/**
 * What the merchant was told of a transaction or of one recipient: the types of the events, without the prefix, each
 * once, in the order in which they were last sent. `ended` follows the event `partial` that said that the session had
 * ended. Entries are only added.
 */
export const told = z.array(z.string())
export type Told = readonly string[]

/** Returns the record or the recipient with `events` added to what the merchant was told. */
export function tell<Subject extends { told: string[] }>(subject: Subject, events: Told): Subject {
  return events.length === 0
    ? subject
    : { ...subject, told: [...subject.told.filter((event) => !events.includes(event)), ...events] }
}

/**
 * Returns whether the merchant was told of an end without success, whatever was reported since. The merchant may have
 * paid or charged in another way, so a success after this end is late, and needs a person. What a person then resolves
 * as paid is not late any more.
 */
export function hasEnded(told: Told): boolean {
  const last = told.findLast((event) => SUCCESSES.includes(event) || FAILED_ENDS.includes(event))
  return last !== undefined && FAILED_ENDS.includes(last)
}
/** Returns whether the merchant was told of a success, whatever was reported since. */
export function hasSucceeded(told: Told): boolean {
  return told.some((event) => SUCCESSES.includes(event))
}
const SUCCESSES = ['succeeded', 'paid']
const RETURNS = ['reversed', 'refunded']
const FAILED_ENDS = ['failed', 'unpaid', 'expired', 'ended', ...RETURNS]
export const isEnd = (outcome: string) => outcome === 'succeeded' || FAILED_ENDS.includes(outcome)

/** The type of an event about a payout, a charge, or an airtime recipient, without a prefix such as `payout.`. */
export type TrackedEvent = Exclude<TrackedOutcome, 'sending' | 'pending'> | 'resolved'

/** The outcome of a payout, a charge or a recipient, and why a person has to check it; `null` if nobody has to. */
export interface Standing extends TrackedState {
  attention: string | null
}

/**
 * Returns whether the merchant knows an outcome. A success is told once, because a second one could be fulfilled twice. A
 * failure, and money that comes back, is told again if the merchant has heard something else since.
 */
export function isKnown(told: Told, outcome: string): boolean {
  if (!told.includes(outcome) || SUCCESSES.includes(outcome)) {
    return told.includes(outcome)
  }

  const last = told.findLast((event) => event !== 'ended') ?? ''
  return last === outcome || (RETURNS.includes(outcome) && RETURNS.includes(last))
}

/** An observation of every kind: a person found out what became of the money. */
export interface Resolving {
  kind: 'resolved'
  resolution: Resolution
  /** The part of the transaction (`about`) that is resolved; `null` for the whole transaction. */
  part: string | null
}

/** Returns the standing with this outcome or, if a person has to check it, with `needs_attention`. */
export function standing(outcome: TrackedOutcome, attention: string | null = null): Standing {
  if (attention !== null) {
    return { outcome: 'needs_attention', settled: false, attention }
  }
  return { outcome, settled: isEnd(outcome), attention }
}

/** Why a person has to check what came after its end. Money that was on its way and then arrived is another reason. */
export const LATE = {
  pending: 'The merchant was told of its end, and the gateway reports it as on its way all the same.',
  succeeded: 'The merchant was told of its end, and the gateway reports it all the same.',
} as const

/** Returns whether a person has to check something because it came after its end. */
export function isOfLate(attention: string | null): boolean {
  return Object.values(LATE).some((why) => why === attention)
}

/**
 * Adds the event for a new standing to what the merchant was told. `resolved` is told of each resolution and
 * `needs_attention` of each new reason, every other outcome unless it is known ({@link isKnown}). `sending` and
 * `pending` cause no event.
 *
 * @param isResolved Whether a person has just resolved it.
 */
export function announce<Subject extends { told: string[] }>(
  record: Subject,
  before: Standing | null,
  { outcome, attention }: Standing,
  isResolved: boolean,
): { record: Subject; events: TrackedEvent[] } {
  if (isResolved) {
    return { record: tell(record, ['resolved', outcome]), events: ['resolved'] }
  }

  if (outcome === 'sending' || outcome === 'pending') {
    return { record, events: [] }
  }

  const isNews = outcome !== before?.outcome || attention !== before.attention
  const isRepeated = outcome !== 'needs_attention' && isKnown(record.told, outcome)
  const events = isNews && !isRepeated ? [outcome] : []
  return { record: tell(record, events), events }
}

/** An observation of every kind: the transaction did not end until its last deadline. A person has to check it. */
export type Overdue = { kind: 'overdue' }

/**
 * Returns the subject after a report that the person who resolved it did not know. The report counts from then on: it
 * answers what the person was asked, or raises an alarm if it contradicts the resolution.
 */
export function afterResolution<Kept extends Consulting>(
  subject: Kept,
  outcome: string,
  about: string,
): Kept {
  const { resolution, consulted } = subject
  const why = resolution && contradictionOf(resolution, outcome)
  if (why !== null) {
    const asked = { ...subject, consulted: askedAbout(subject, about) }
    return { ...asked, resolution: null, alarm: { why, until: 'resolved' } }
  }

  const says = consulted?.says ?? null
  const isNews = says !== null && !isAsSaid(says, outcome)
  const kept = isNews ? { ...subject, consulted: askedAbout(subject, about) } : subject
  return resolution === null ? kept : { ...kept, resolution: null, alarm: null }
}

/**
 * Returns whether the person who resolved the subject knew the report that is stored; `null` if nobody did. If the
 * gateway had contradicted this report, its return to it is news.
 */
export function isKnownTo({
  resolution,
  alarm,
}: {
  resolution: Resolution | null
  alarm: Alarm | null
}): boolean | null {
  return resolution && alarm?.until !== 'returned'
}

/** Returns whether a person resolved the subject between two states. */
export function isNewResolution(
  before: { resolution: Resolution | null },
  after: { resolution: Resolution | null },
): boolean {
  return after.resolution !== null && JSON.stringify(after.resolution) !== JSON.stringify(before.resolution)
}

/** Returns the standing of a subject that a person has resolved; `null` if nobody did. */
export function resolvedStanding({ resolution }: { resolution: Resolution | null }): Standing | null {
  return resolution && standing(RESOLVED_OUTCOME[resolution.says])
}

/**
 * Returns the transition result for a resolution; the subject itself if nobody has to check it. What was resolved as
 * not paid or returned has ended: a later success is late. The alarm is kept, so that its cause, of which the person
 * knew, raises no other.
 *
 * @param about The stored report, if the person was called about it; `null` otherwise.
 */
export function resolve<
  Kept extends { told: string[]; resolution: Resolution | null; consulted?: Consulted },
>(
  subject: Kept,
  standing: { outcome: string; attention: string | null },
  resolution: Resolution,
  about: string | null,
): TransitionResult<Kept> {
  if (standing.attention === null && !needsPerson(standing.outcome)) {
    return unchanged(subject)
  }

  const { says } = resolution
  const ended = says === 'paid' ? subject : tell(subject, ['ended'])
  const consulted = about === null ? subject.consulted : askedAbout(subject, about)
  const answered = consulted && { consulted: { ...consulted, says } }
  return changed({ ...ended, ...answered, resolution }, describeResolution(resolution))
}
