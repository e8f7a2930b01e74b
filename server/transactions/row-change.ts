/**
 * What an observation changes of a transaction's row: record, outcome, events, movements and progress. Pure.
 *
 * Calls the rules of the kind in this order: `read` parses the record, `transition` computes the next one, and a second
 * time if `progressOf` says that the transaction is overdue. If the record has changed, `announce` chooses the events,
 * and adds them to the record. From this record follow `outcomeOf`, `progressOf` and `movementsOf`, and the body of each
 * event (`describeEvent`).
 */

import { answeredAt } from './observation.ts'
import { isOverdue } from './schedule.ts'

import type { NewEvent } from '../store/events.ts'
import type { Movement } from '../store/movements.ts'
import type { Change, Transaction } from '../store/transactions.ts'
import type { Rules } from './kind.ts'
import type { Overdue } from './observation.ts'
import type { Progress } from './schedule.ts'
import type { TransitionResult } from './transition-result.ts'

/** What a commit stores, without the due time, which follows from `progress` and the facts of the schedule. */
export type RowChange = Omit<Change, 'at' | 'due_at' | 'events'> & {
  /** The progress after the change. Absent if the record is unchanged. */
  progress?: Progress
  events?: Omit<NewEvent, 'id'>[]
  /** Whether no query is made before the gateway is available again. */
  isPostponed?: boolean
}

/**
 * Returns the change of a row by an observation of the gateway, such as a status. A transaction that is still open after
 * its last deadline is overdue.
 *
 * @param askedAt Time of the query, in milliseconds since the Unix epoch. The observed state is not older than this
 * time.
 * @param now Time of the commit, in milliseconds since the Unix epoch.
 */
export function changeBy<Row extends Transaction, Observation extends object, Event>(
  kind: Rules<Row, Observation, Event>,
  transaction: Transaction,
  observation: Observation | Overdue,
  askedAt: number,
  now: number,
): RowChange & { progress: Progress } {
  const row = kind.read(transaction)
  const observed = kind.transition(row, observation, askedAt)
  const after = { ...row, record: observed.record }
  // This server's clock may be ahead for a minute, and the gateway's may be ahead of it for good. An alarm ends a
  // checkout that can still be paid, so the deadline has to have passed by both clocks.
  const earliest = Math.min(now, answeredAt(observation, now))
  if (!isOverdue(kind.progressOf(after), earliest)) {
    return changeTo(kind, row, observed, now)
  }

  const overdue = kind.transition(after, { kind: 'overdue' }, askedAt)
  if (overdue.record === observed.record) {
    return changeTo(kind, row, observed, now)
  }

  const historyEntry = overdue.historyEntry ?? observed.historyEntry
  return changeTo(kind, row, { ...overdue, historyEntry }, now)
}

/** Returns the change of a row to the result of a transition. */
export function changeTo<Row extends Transaction, Observation, Event>(
  kind: Rules<Row, Observation, Event>,
  row: Row,
  { record: changed, historyEntry, isUnseen }: TransitionResult<Row['record']>,
  now: number,
): RowChange & { progress: Progress } {
  if (changed === row.record) {
    return { progress: kind.progressOf(row), historyEntry }
  }
  if (isUnseen) {
    return { record: changed, isUnseen, progress: kind.progressOf({ ...row, record: changed }), historyEntry }
  }

  const { record, events } = kind.announce(row, { ...row, record: changed })
  const next = { ...row, record, version: row.version + 1, updated_at: now }
  return {
    record,
    outcome: kind.outcomeOf(next),
    progress: kind.progressOf(next),
    historyEntry,
    ...changedMovements(kind.movementsOf(row), kind.movementsOf(next)),
    events: events.map((event) => {
      const { data, ...described } = kind.describeEvent(event, next, now)
      return { ...described, body: eventBody(described.type, now, data) }
    }),
  }
}

/** Returns all movements if any of them has changed. A movement of which only the time differs has not changed. */
function changedMovements(
  before: readonly Movement[],
  after: readonly Movement[],
): Pick<RowChange, 'movements'> {
  const contentOf = (movements: readonly Movement[]) =>
    JSON.stringify(movements.map((movement) => ({ ...movement, at: 0 })))
  return contentOf(before) === contentOf(after) ? {} : { movements: after }
}

/**
 * Returns the body in which an event is stored and delivered.
 *
 * @param at Time of the commit with the event, in milliseconds since the Unix epoch.
 */
export function eventBody(type: string, at: number, data: object): string {
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data })
}
