/** Defines transitions: pure functions that compute the next record of a transaction from an observation. */

import type { EventType } from '../api/events.ts'
import type { TrackedOutcome, TrackedState } from '../api/tracked.ts'
import type { Change, NewEvent, Transaction } from '../store.ts'
import type { Requested } from './requested.ts'
import type { Progress } from './schedule.ts'
import { z } from 'zod'
import { isOverdue } from './schedule.ts'

/** What a transition returns: the next record and the history entry. */
export interface TransitionResult<Record> {
  record: Record
  /** One sentence for the transaction's history; `null` if no entry is added. */
  historyEntry: string | null
}

/** Returns a transition result that changes nothing: the same record and no history entry. */
export function unchanged<Record>(record: Record): TransitionResult<Record> {
  return { record, historyEntry: null }
}

/** Returns a transition result with `record` and a history entry. */
export function note<Record>(record: Record, historyEntry: string): TransitionResult<Record> {
  return { record, historyEntry }
}

/**
 * Why a person has to check a transaction or a recipient, as a sentence, and the kind of report that resolves it. Other
 * reports do not, however often they are repeated:
 *
 * - `reported`: a report that agrees with the request. The gateway did not know the transaction, or had other terms.
 * - `settled`: a report that settles the transaction. It was open for too long.
 * - `returned`: a new status, by which the money was returned. The gateway's reports contradict each other.
 */
export const Alarm = z.object({ why: z.string(), until: z.enum(['reported', 'settled', 'returned']) })
export type Alarm = z.output<typeof Alarm>

/** Returns a transition result with an alarm. An alarm about contradictory reports is not replaced. */
export function raise<Subject extends { alarm: Alarm | null }>(
  subject: Subject,
  why: string,
  until: Alarm['until'],
): TransitionResult<Subject> {
  const { alarm } = subject
  const isStanding = alarm?.why === why || alarm?.until === 'returned'
  return isStanding ? unchanged(subject) : note({ ...subject, alarm: { why, until } }, why)
}

/**
 * Returns the alarm that stands after a report that agrees with the request.
 *
 * @param outcome What the report means without the alarm.
 * @param isNewStatus Whether the report has another status than the report before.
 */
export function alarmAfter(alarm: Alarm | null, outcome: string, isNewStatus: boolean): Alarm | null {
  if (alarm?.until === 'settled' && !isEnd(outcome)) return alarm
  const isReturned = isNewStatus && RETURNED.includes(outcome)
  return alarm?.until === 'returned' && !isReturned ? alarm : null
}
const RETURNED = ['reversed', 'refunded']

/**
 * What the merchant was told of a transaction or of one recipient: the types of the events, without the prefix, each
 * once, in the order in which they were first sent. `ended` follows the event `partial` that said that the session had
 * ended. Entries are only added.
 */
export const told = z.array(z.string())
export type Told = readonly string[]

/** Returns the record or the recipient with `events` added to what the merchant was told. */
export function tell<Subject extends { told: string[] }>(subject: Subject, events: Told): Subject {
  return events.length === 0 ? subject : { ...subject, told: [...new Set([...subject.told, ...events])] }
}

/**
 * Returns whether the merchant was told of an end without success, whatever was reported since. The merchant may have
 * paid or charged in another way, so a success after this end is late, and needs a person.
 */
export function hasEnded(told: Told): boolean {
  return told.some((event) => ENDS.includes(event))
}
const ENDS = ['failed', 'unpaid', 'expired', 'ended', ...RETURNED]
const isEnd = (outcome: string) => outcome === 'succeeded' || ENDS.includes(outcome)

/** The type of an event about a payout, a charge, or an airtime recipient, without a prefix such as `payout.`. */
export type TrackedEvent = Exclude<TrackedOutcome, 'sending' | 'pending'>

/** The outcome of a payout, a charge or a recipient, and why a person has to check it; `null` if nobody has to. */
export interface Standing extends TrackedState {
  attention: string | null
}

/** Returns the standing with this outcome or, if a person has to check it, with `needs_attention`. */
export function standing(outcome: TrackedOutcome, attention: string | null = null): Standing {
  if (attention !== null) return { outcome: 'needs_attention', settled: false, attention }
  return { outcome, settled: isEnd(outcome), attention }
}

type Course = { alarm: Alarm | null; told: Told }
/**
 * Returns the standing of a transaction or a recipient that the gateway has acknowledged.
 *
 * @param outcome What the last report means.
 */
export function standingOf(outcome: TrackedOutcome, { alarm, told }: Course): Standing {
  const isLate = (outcome === 'succeeded' || outcome === 'pending') && hasEnded(told)
  return standing(outcome, alarm?.why ?? (isLate ? LATE : null))
}
export const LATE = 'The merchant was told of its end, and the gateway reports it all the same.'

/**
 * Adds the event for a new standing to what the merchant was told. `needs_attention` is told of each new reason, every
 * other outcome once. `sending` and `pending` cause no event.
 */
export function announce<Subject extends { told: string[] }>(
  record: Subject,
  before: Standing | null,
  { outcome, attention }: Standing,
): { record: Subject; events: TrackedEvent[] } {
  const isNews = outcome !== before?.outcome || attention !== before.attention
  const isRepeated = outcome !== 'needs_attention' && record.told.includes(outcome)
  const isSilent = outcome === 'sending' || outcome === 'pending' || !isNews || isRepeated
  const events = isSilent ? [] : [outcome]
  return { record: tell(record, events), events }
}

/** The changes that a transition makes to the stored row, the progress after it, and the events that it adds. */
export type RowChange = Pick<Change, 'record' | 'outcome' | 'historyEntry'> & {
  progress: Progress
  events: Omit<NewEvent, 'id'>[]
}

/**
 * A function that computes the change of a row from one observation, such as a reported status. Pure. If another
 * commit changes the row before the computed change is stored, the function is called again with the changed row.
 *
 * @param askedAt Time of the query, in milliseconds since the Unix epoch. The observed state is not older than this
 * time.
 * @param now Time of the commit, in milliseconds since the Unix epoch.
 */
export type BoundTransition = (transaction: Transaction, askedAt: number, now: number) => RowChange

/** An observation of every kind: the transaction did not end until its last deadline. A person has to check it. */
export type Overdue = { kind: 'overdue' }

/** The rules that each transaction kind defines for its rows. All functions are pure. */
export interface Rules<Row extends Transaction, Observation, Event> {
  /**
   * Parses the record of a stored transaction.
   *
   * @throws {RecordError} if the record is invalid.
   */
  read(transaction: Transaction): Row
  transition(row: Row, observation: Observation | Overdue, askedAt: number): TransitionResult<Row['record']>
  /** Returns the events about a new record, in the order of delivery, and the record with what the merchant was told. */
  announce(before: Row, after: Row): { record: Row['record']; events: readonly Event[] }
  outcomeOf(row: Row): string
  progressOf(row: Row): Progress
  /**
   * Returns the amount and the terms of the merchant's request. A later request with the same reference and equal terms
   * is treated as a repetition.
   */
  requestOf(record: Row['record']): Requested
  /**
   * Returns the type and the data of an event. `about` names the part of the transaction that the event concerns, for
   * example the phone number of one recipient; absent if the event concerns the whole transaction.
   */
  describeEvent(event: Event, row: Row, now: number): { type: EventType; data: object; about?: string }
}

/**
 * Returns a function that converts an observation to a {@link BoundTransition}, which applies the rules of the kind to
 * a stored row. A transaction that is still open after its last deadline is overdue.
 */
export function bindTransition<Row extends Transaction, Observation, Event>(
  rules: Rules<Row, Observation, Event>,
): (observation: Observation | Overdue) => BoundTransition {
  return (observation) => (transaction, askedAt, now) => {
    const row = rules.read(transaction)
    const observed = rules.transition(row, observation, askedAt)
    const after = { ...row, record: observed.record }
    const isLast = isOverdue(rules.progressOf(after), now)
    const last = isLast ? rules.transition(after, { kind: 'overdue' }, askedAt) : observed
    const isNew = last.record !== row.record
    const { record, events } = isNew
      ? rules.announce(row, { ...row, record: last.record })
      : { ...row, events: [] }
    const next = isNew ? { ...row, record, version: row.version + 1, updated_at: now } : row
    const timestamp = new Date(now).toISOString()
    return {
      ...(isNew && { record, outcome: rules.outcomeOf(next) }),
      progress: rules.progressOf(next),
      historyEntry: last.historyEntry ?? observed.historyEntry,
      events: events.map((event) => {
        const { data, ...described } = rules.describeEvent(event, next, now)
        return { ...described, body: JSON.stringify({ type: described.type, timestamp, data }) }
      }),
    }
  }
}
