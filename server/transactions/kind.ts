/** What the synchronizer needs to know of a kind of transaction. */

import type { Transaction } from '../store.ts'
import type { Progress } from './schedule.ts'
import type { ServiceConfirmations } from './service-confirmation.ts'
import type { SubmissionState } from './submission.ts'
import type { BoundTransition } from './transition.ts'

export interface Kind {
  /** Pure: how the submission stands; `null` once the gateway acknowledged or refused it, or it was given up. */
  submissionOf(transaction: Transaction): SubmissionState | null
  /** Pure: how far it is, for the schedule. */
  progressOf(transaction: Transaction): Progress
  /**
   * Sends the stored request, for the first time or again with the same reference and the same bytes.
   * @throws {GatewayError} when the answer is unknown; the transaction then stays as it was.
   */
  send(transaction: Transaction): Promise<BoundTransition>
  /**
   * Asks the gateway for its status.
   * @throws {GatewayError} when there is no answer to use; the transaction then stays as it was.
   */
  queryStatus(transaction: Transaction): Promise<BoundTransition>
  /** Absent where payments need no confirmation. */
  serviceConfirmations?: ServiceConfirmations
}

export type Kinds = Readonly<Record<Transaction['kind'], Kind>>
