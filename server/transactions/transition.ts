/** Defines transitions: pure functions that compute the next record of a transaction from an observation. */

import type { EventType } from '../api/events.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import type { Change, NewEvent, Transaction } from '../store.ts'
import type { Requested } from './requested.ts'
import type { Progress } from './schedule.ts'
import { nextQueryAt } from './schedule.ts'

/** What a transition returns: the next record, the new events and the history entry. */
export interface TransitionResult<Record, Event> {
  record: Record
  /** The events for the merchant's backend, in the order of delivery. */
  events: readonly Event[]
  /** One sentence for the transaction's history; `null` if no entry is added. */
  historyEntry: string | null
}

/** Returns a transition result that changes nothing: the same record, no events and no history entry. */
export function unchanged<Record>(record: Record): TransitionResult<Record, never> {
  return { record, events: [], historyEntry: null }
}

/** Returns a transition result with `record`, with a history entry and no event. */
export function note<Record>(record: Record, historyEntry: string): TransitionResult<Record, never> {
  return { record, events: [], historyEntry }
}

/**
 * Returns a transition result that stores a contradiction: the gateway's response contradicts the request or an
 * earlier response. The reported state is kept. The first contradiction of a transaction causes the event
 * `needs_attention`, so that a person checks the transaction. Later contradictions cause no event.
 *
 * @param contradiction A sentence for the person, or the reported status that cannot follow the stored status.
 */
export function contradict<Record extends { contradiction: string | number | null }>(
  record: Record,
  contradiction: NonNullable<Record['contradiction']>,
  historyEntry = String(contradiction),
): TransitionResult<Record, 'needs_attention'> {
  if (record.contradiction === contradiction) return unchanged(record)
  const events = record.contradiction === null ? (['needs_attention'] as const) : []
  return { record: { ...record, contradiction }, events, historyEntry }
}

/** The type of an event about a payout, a charge, or an airtime recipient, without a prefix such as `payout.`. */
export type TrackedEvent = Exclude<TrackedOutcome, 'sending' | 'pending'>

/**
 * Returns a list with the event for a new outcome. The list is empty for `sending` and `pending`, which cause no event.
 */
export function eventsOf(outcome: TrackedOutcome): TrackedEvent[] {
  return outcome === 'sending' || outcome === 'pending' ? [] : [outcome]
}

/**
 * Returns whether the status `after` is the status `before`, or may follow `before`.
 *
 * @param follows For each status, the list of the statuses that may follow.
 * @param before The stored status; `null` if the gateway has not reported a status.
 */
export function canStatusFollow<Status extends number>(
  follows: Readonly<Record<Status, readonly Status[]>>,
  before: Status | null,
  after: Status,
): boolean {
  return before === null || before === after || follows[before].includes(after)
}

/** The changes that a transition makes to the stored row, and the events that the transition adds. */
export type RowChange = Pick<Change, 'record' | 'outcome' | 'due_at' | 'historyEntry'> & {
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

/** The rules that each transaction kind defines for its rows. All functions are pure. */
export interface Rules<Row extends Transaction, Observation, Event> {
  /**
   * Parses the record of a stored transaction.
   *
   * @throws {RecordError} if the record is invalid.
   */
  read(transaction: Transaction): Row
  transition(row: Row, observation: Observation, askedAt: number): TransitionResult<Row['record'], Event>
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
 * a stored row.
 */
export function bindTransition<Row extends Transaction, Observation, Event>(
  rules: Rules<Row, Observation, Event>,
): (observation: Observation) => BoundTransition {
  return (observation) => (transaction, askedAt, now) => {
    const row = rules.read(transaction)
    const { record, events, historyEntry } = rules.transition(row, observation, askedAt)
    const isNew = record !== row.record
    const next = isNew ? { ...row, record, version: row.version + 1, updated_at: now } : row
    const timestamp = new Date(now).toISOString()
    return {
      ...(isNew && { record, outcome: rules.outcomeOf(next) }),
      due_at: nextQueryAt(rules.progressOf(next), now),
      historyEntry,
      events: events.map((event) => {
        const { data, ...described } = rules.describeEvent(event, next, now)
        return { ...described, body: JSON.stringify({ type: described.type, timestamp, data }) }
      }),
    }
  }
}
