/** What the engine needs to know of a kind of transaction: how to send it, how to ask about it, and when. */

import type { Transaction } from '../store.ts'
import type { ServiceConfirmations } from './service-confirmation.ts'
import type { BoundTransition } from './transition.ts'

export interface Kind {
  /** Whether the gateway never acknowledged it and it is still wanted. */
  isUnsent(transaction: Transaction): boolean
  /**
   * Sends the stored intent, for the first time or again with the same reference and the same bytes.
   * @throws {GatewayError} when the answer is unknown; the transaction then stays as it was.
   */
  send(transaction: Transaction): Promise<BoundTransition>
  /**
   * Asks the gateway about it.
   * @throws {GatewayError} when there is no answer to use; the transaction then stays as it was.
   */
  ask(transaction: Transaction): Promise<BoundTransition>
  /** Pure: whether it is time to send it again, after it was asked about in vain. */
  isToBeSentAgain(transaction: Transaction, now: number): boolean
  /** Pure: for how long, in milliseconds, an answer is fresh enough for whoever asks. */
  freshForMs(transaction: Transaction, now: number): number
  /** Absent where payments need no confirmation. */
  serviceConfirmations?: ServiceConfirmations
}

export type Kinds = Readonly<Record<Transaction['kind'], Kind>>
