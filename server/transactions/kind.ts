/** Defines the interface between the synchronizer and the transaction kinds (checkout, charge, payout, airtime). */

import type { Transaction } from '../store.ts'
import type { Stored } from './record.ts'
import type { Requested } from './requested.ts'
import type { Progress } from './schedule.ts'
import type { ServiceConfirmations } from './service-confirmation.ts'
import type { SubmissionState } from './submission.ts'
import type { BoundTransition, Rules } from './transition.ts'
import { bindTransition } from './transition.ts'

export interface Kind {
  /**
   * Returns the state of the submission. Returns `null` after the gateway has acknowledged or rejected the transaction,
   * or after the server has given up the submission. Pure.
   */
  submissionOf(transaction: Transaction): SubmissionState | null
  /**
   * Returns the stage that the transaction has reached. The stage determines the time of the next status query. Pure.
   */
  progressOf(transaction: Transaction): Progress
  /** Returns the family (`contract/endpoints.ts`) of the endpoint at which the transaction's status is queried. Pure. */
  familyOf(transaction: Transaction): Transaction['kind']
  /** Returns the part of the merchant's request that is kept in the tombstone of a pruned transaction. Pure. */
  requestOf(transaction: Transaction): Requested
  /**
   * Sends the stored request to the gateway. If the request is sent again, its reference and its bytes are unchanged.
   *
   * @returns The transition result for the gateway's response.
   * @throws {GatewayError} if the result is unknown. The stored transaction is then unchanged.
   */
  send(transaction: Transaction): Promise<BoundTransition>
  /**
   * Queries the transaction's status at the gateway.
   *
   * @returns The transition result for the reported status.
   * @throws {GatewayError} if there is no usable response. The stored transaction is then unchanged.
   */
  queryStatus(transaction: Transaction): Promise<BoundTransition>
  /** The transition result for a transaction that did not end until its last deadline (`isOverdue`). Pure. */
  overdue: BoundTransition
  /** The functions for service confirmations. Absent if transactions of this kind need no service confirmation. */
  serviceConfirmations?: ServiceConfirmations
}

export type Kinds = Readonly<Record<Transaction['kind'], Kind>>

/**
 * The functions that send a transaction's request and query the transaction's status. Both resolve with an observation,
 * which is the input of the kind's transition.
 */
interface Requests<Row, Observation> {
  send(row: Row): Promise<Observation>
  queryStatus(row: Row): Promise<Observation>
}

/**
 * The fields that the records of all kinds have. `phase` is `intended` until the gateway acknowledges or rejects the
 * transaction.
 */
type AnyRecord =
  | ({ phase: 'intended' } & SubmissionState)
  | { phase: 'accepted' | 'open' | 'posted' | 'rejected' | 'refused' | 'abandoned' }

export function createKind<Row extends Stored<AnyRecord>, Observation, Event>(
  rules: Rules<Row, Observation, Event>,
  requests: Requests<Row, Observation>,
): Kind {
  const observe = bindTransition(rules)
  return {
    submissionOf(transaction) {
      const { record }: Stored<AnyRecord> = rules.read(transaction)
      return record.phase === 'intended' ? record : null
    },
    familyOf: ({ kind }) => kind,
    progressOf: (transaction) => rules.progressOf(rules.read(transaction)),
    requestOf: (transaction) => rules.requestOf(rules.read(transaction).record),
    send: async (transaction) => observe(await requests.send(rules.read(transaction))),
    queryStatus: async (transaction) => observe(await requests.queryStatus(rules.read(transaction))),
    overdue: observe({ kind: 'overdue' }),
  }
}
