/** The interface between the synchronizer and each kind of transaction. */

import type { Transaction } from '../store.ts'
import type { Stored } from './record.ts'
import type { Progress } from './schedule.ts'
import type { ServiceConfirmations } from './service-confirmation.ts'
import type { SubmissionState } from './submission.ts'
import type { BoundTransition, Rules } from './transition.ts'
import { bindTransition } from './transition.ts'

export interface Kind {
  /**
   * Pure. The state of the submission; `null` once the gateway has acknowledged or rejected the transaction, or the
   * submission was given up.
   */
  submissionOf(transaction: Transaction): SubmissionState | null
  /** Pure. The progress that determines the next query. */
  progressOf(transaction: Transaction): Progress
  /**
   * Sends the stored request. A resend has the same reference and the same bytes.
   * @throws {GatewayError} if the result is unknown; the stored transaction is unchanged.
   */
  send(transaction: Transaction): Promise<BoundTransition>
  /**
   * Queries the transaction's status at the gateway.
   * @throws {GatewayError} if there is no usable response; the stored transaction is unchanged.
   */
  queryStatus(transaction: Transaction): Promise<BoundTransition>
  /** Absent for kinds whose payments need no service confirmation. */
  serviceConfirmations?: ServiceConfirmations
}

export type Kinds = Readonly<Record<Transaction['kind'], Kind>>

/** How a kind sends its request and queries its status. */
interface Requests<Row, Observation> {
  send(row: Row): Promise<Observation>
  queryStatus(row: Row): Promise<Observation>
}

/** The records of every kind: `intended` until the gateway acknowledges or rejects the transaction. */
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
    send: async (transaction) => observe(await requests.send(rules.read(transaction))),
    queryStatus: async (transaction) => observe(await requests.queryStatus(rules.read(transaction))),
  }
}
