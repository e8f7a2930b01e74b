/** Transitions: pure functions that compute the next record, and their application to a stored row. */

import type { EventType } from '../api/events.ts'
import type { TrackedOutcome } from '../api/tracked.ts'
import type { Change, NewEvent, Transaction } from '../store.ts'
import type { Progress } from './schedule.ts'
import { nextQueryAt } from './schedule.ts'

/** The next record, with its events and history entry. */
export interface Transition<Record, Event> {
  record: Record
  /** Events for the merchant's backend, in order. */
  events: readonly Event[]
  /** One sentence for the history; `null` when nothing changed. */
  historyEntry: string | null
}

/** Returns a transition that stores nothing. */
export function unchanged<Record>(record: Record): Transition<Record, never> {
  return { record, events: [], historyEntry: null }
}

/** Returns a transition that emits no event. */
export function note<Record>(record: Record, historyEntry: string): Transition<Record, never> {
  return { record, events: [], historyEntry }
}

/**
 * Records that the gateway's response contradicts an earlier response or the request: a person has to look. The state
 * stays. Each distinct contradiction emits one `needs_attention` event, however often the gateway repeats it.
 */
export function contradict<Record extends { contradiction: string | number | null }>(
  record: Record,
  contradiction: NonNullable<Record['contradiction']>,
  historyEntry = String(contradiction),
): Transition<Record, 'needs_attention'> {
  if (record.contradiction === contradiction) return unchanged(record)
  const events = record.contradiction === null ? (['needs_attention'] as const) : []
  return { record: { ...record, contradiction }, events, historyEntry }
}

/** Suffix of the type of an event about a payout, a charge, or a recipient of airtime. */
export type TrackedEvent = Exclude<TrackedOutcome, 'sending' | 'pending'>

/** The events of a new outcome. */
export function eventsOf(outcome: TrackedOutcome): TrackedEvent[] {
  return outcome === 'sending' || outcome === 'pending' ? [] : [outcome]
}

/** Whether the gateway may report a status after an earlier one, by the kind's table of the statuses that follow. */
export function canStatusFollow<Status extends number>(
  follows: Readonly<Record<Status, readonly Status[]>>,
  before: Status | null,
  after: Status,
): boolean {
  return before === null || before === after || follows[before].includes(after)
}

/** The changes of a transition to the stored row, and the events it adds. */
export type RowChange = Pick<Change, 'record' | 'outcome' | 'due_at' | 'historyEntry'> & {
  events: Omit<NewEvent, 'id'>[]
}

/**
 * A transition bound to its observation. Pure. The synchronizer applies the transition to the stored row. If another
 * commit changes the row first, the synchronizer applies the transition to the new row.
 *
 * @param askedAt When the gateway was queried, in milliseconds since the Unix epoch. The response is at least as
 * recent.
 */
export type BoundTransition = (transaction: Transaction, askedAt: number, now: number) => RowChange

/** Rules that each kind defines for its rows. All functions are pure. */
export interface Rules<Row extends Transaction, Observation, Event> {
  /** @throws {RecordError} if the record is invalid. */
  read(transaction: Transaction): Row
  transition(row: Row, observation: Observation, askedAt: number): Transition<Row['record'], Event>
  outcomeOf(row: Row): string
  progressOf(row: Row): Progress
  /**
   * Returns the event's type, its data, and the part of the transaction that it concerns (for example one recipient).
   */
  describeEvent(event: Event, row: Row, now: number): { type: EventType; data: object; about?: string }
}

/** Returns a function that binds an observation to the transition of this kind. */
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
