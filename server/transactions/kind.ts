/** The interface between the synchronizer and each kind of transaction. */

import type { Transaction } from '../store.ts'
import type { Progress } from './schedule.ts'
import type { ServiceConfirmations } from './service-confirmation.ts'
import type { SubmissionState } from './submission.ts'
import type { BoundTransition } from './transition.ts'

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
