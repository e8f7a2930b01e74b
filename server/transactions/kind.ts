/** Defines the interface between the synchronizer and the transaction kinds (checkout, charge, payout, airtime). */

import type { Transaction } from '../store.ts'
import type { Stored } from './record.ts'
import type { Requested } from './retention.ts'
import type { Progress } from './schedule.ts'
import type { ServiceConfirmations } from './service-confirmation.ts'
import type { SubmissionState } from './submission.ts'
import type { BoundTransition, Rules } from './transition.ts'
import { bindTransition } from './transition.ts'

export interface Kind {
  /**
   * Returns the state of an unfinished submission; `null` once the gateway has acknowledged or rejected the
   * transaction, or the submission was given up. Pure.
   */
  submissionOf(transaction: Transaction): SubmissionState | null
  /** Returns the transaction's progress, which determines when it is queried next. Pure. */
  progressOf(transaction: Transaction): Progress
  /** Returns the merchant's request, for the tombstone of a pruned transaction. Pure. */
  requestOf(transaction: Transaction): Requested
  /**
   * Sends the stored request to the gateway. A resend has the same reference and the same bytes.
   *
   * @returns The transition for the gateway's response.
   * @throws {GatewayError} if the result is unknown. The stored transaction is then unchanged.
   */
  send(transaction: Transaction): Promise<BoundTransition>
  /**
   * Queries the transaction's status at the gateway.
   *
   * @returns The transition for the reported status.
   * @throws {GatewayError} if there is no usable response. The stored transaction is then unchanged.
   */
  queryStatus(transaction: Transaction): Promise<BoundTransition>
  /** The service confirmations of the kind. The field is absent if the kind's payments need no service confirmation. */
  serviceConfirmations?: ServiceConfirmations
}

export type Kinds = Readonly<Record<Transaction['kind'], Kind>>

/** The functions with which a kind sends its request and queries its status. The results are observations. */
interface Requests<Row, Observation> {
  send(row: Row): Promise<Observation>
  queryStatus(row: Row): Promise<Observation>
}

/**
 * The part that the records of all kinds share. The phase is `intended` until the gateway acknowledges or rejects the
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
    progressOf: (transaction) => rules.progressOf(rules.read(transaction)),
    requestOf: (transaction) => rules.requestOf(rules.read(transaction).record),
    send: async (transaction) => observe(await requests.send(rules.read(transaction))),
    queryStatus: async (transaction) => observe(await requests.queryStatus(rules.read(transaction))),
  }
}
