/**
 * Defines what each kind of transaction (checkout, charge, payout, airtime) declares, and computes the change of a row
 * from an observation by the rules of its kind.
 */

import type { EventType } from '../api/events.ts'
import type { Family } from '../contract/endpoints.ts'
import type { Change, NewEvent, Transaction } from '../store/store.ts'
import type { Requested, Stored } from './record.ts'
import type { Progress } from './schedule.ts'
import type { Decision, ServiceConfirmation } from './service-confirmation.ts'
import type { SubmissionState } from './submission.ts'
import type { Overdue, TransitionResult } from './transition.ts'
import { isOverdue } from './schedule.ts'

/** The rules that each kind defines for its rows. All functions are pure. */
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
  /** Returns the stage that the transaction has reached, which determines the time of the next status query. */
  progressOf(row: Row): Progress
  /**
   * Returns the amount and the terms of the merchant's request, which the tombstone of a pruned transaction keeps. A
   * later request with the same reference and equal terms is treated as a repetition.
   */
  requestOf(record: Row['record']): Requested
  /**
   * Returns the type and the data of an event. `about` names the part of the transaction that the event concerns, for
   * example the phone number of one recipient; absent if the event concerns the whole transaction.
   */
  describeEvent(event: Event, row: Row, now: number): { type: EventType; data: object; about?: string }
}

/** The rules of a kind, and its requests to the gateway, each of which resolves with an observation. */
export interface Kind<Row extends Transaction, Observation, Event> extends Rules<Row, Observation, Event> {
  /** Returns the family (`contract/endpoints.ts`) of the endpoint at which the transaction's status is queried. Pure. */
  familyOf(transaction: Transaction): Family
  /**
   * Sends the stored request to the gateway. If the request is sent again, its reference and its bytes are unchanged.
   *
   * @throws {GatewayError} if the result is unknown. The stored transaction is then unchanged.
   */
  send(row: Row): Promise<Observation>
  /**
   * Queries the transaction's status at the gateway.
   *
   * @throws {GatewayError} if there is no usable response. The stored transaction is then unchanged.
   */
  queryStatus(row: Row): Promise<Observation>
  /** Absent if transactions of this kind need no service confirmation. */
  confirmation?: {
    /** Returns the service confirmation of a transaction; `null` if the transaction needs none. Pure. */
    of(row: Row): ServiceConfirmation | null
    /**
     * Sends the merchant's stored decision to the gateway.
     *
     * @throws {GatewayError} if there is no usable response. The decision is then sent again later.
     */
    send(row: Row, decision: Decision): Promise<Observation>
  }
}

/**
 * The fields that the records of all kinds have. `phase` is `intended` until the gateway acknowledges or rejects the
 * transaction.
 */
type AnyRecord =
  | ({ phase: 'intended' } & SubmissionState)
  | { phase: 'accepted' | 'open' | 'posted' | 'rejected' | 'refused' | 'abandoned' }

/** A kind as the synchronizer sees it: rows and observations are passed only to the kind from which they come. */
export type AnyKind = Kind<Stored<AnyRecord>, object, unknown>
export type Kinds = Readonly<Record<Transaction['kind'], AnyKind>>

/** What a commit stores: the change of the row, without the due time, which `progress` and the facts determine. */
export type RowChange = Omit<Change, 'at' | 'due_at' | 'events'> & {
  /** The progress after the change. Absent if the record is unchanged. */
  progress?: Progress
  events?: Omit<NewEvent, 'id'>[]
  /** Whether no query is made before the gateway is available again. */
  isPostponed?: boolean
}

/**
 * Returns the change of a row by one observation, such as a reported status. Pure. If another commit changes the row
 * before the change is stored, the change is computed again from the changed row. A transaction that is still open after
 * its last deadline is overdue.
 *
 * @param askedAt Time of the query, in milliseconds since the Unix epoch. The observed state is not older than this
 * time.
 * @param now Time of the commit, in milliseconds since the Unix epoch.
 */
export function changeBy<Row extends Transaction, Observation, Event>(
  rules: Rules<Row, Observation, Event>,
  transaction: Transaction,
  observation: Observation | Overdue,
  askedAt: number,
  now: number,
): RowChange & { progress: Progress } {
  const row = rules.read(transaction)
  const observed = rules.transition(row, observation, askedAt)
  const after = { ...row, record: observed.record }
  const isLast = isOverdue(rules.progressOf(after), now)
  const last = isLast ? rules.transition(after, { kind: 'overdue' }, askedAt) : observed
  const historyEntry = last.historyEntry ?? observed.historyEntry
  if (last.record === row.record) return { progress: rules.progressOf(row), historyEntry }
  const { record, events } = rules.announce(row, { ...row, record: last.record })
  const next = { ...row, record, version: row.version + 1, updated_at: now }
  const timestamp = new Date(now).toISOString()
  return {
    record,
    outcome: rules.outcomeOf(next),
    progress: rules.progressOf(next),
    historyEntry,
    events: events.map((event) => {
      const { data, ...described } = rules.describeEvent(event, next, now)
      return { ...described, body: JSON.stringify({ type: described.type, timestamp, data }) }
    }),
  }
}
