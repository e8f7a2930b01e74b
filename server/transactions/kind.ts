/** What the door needs to know of a kind of transaction. */

import type { Change, Transaction } from '../store.ts'

/** What one look at the gateway says should be kept: nothing more is decided after this. */
export type Step = Omit<Change, 'at' | 'asked_at' | 'failures'>

export interface Kind<Observation> {
  /**
   * Asks the gateway about one transaction, with no store transaction open.
   * @throws {GatewayError} when there is no answer to use; the transaction then stays as it was.
   */
  ask(transaction: Transaction): Promise<Observation>
  /** Pure: what the observation changes in the transaction. `askedAt` is when the gateway was asked. */
  advance(transaction: Transaction, observation: Observation, askedAt: number): Step
  /** Pure: when to ask again after a question that brought no answer. */
  retryAt(transaction: Transaction, now: number): number | null
  /** Pure: for how long, in milliseconds, an answer is fresh enough for whoever asks. */
  freshForMs(transaction: Transaction, now: number): number
}
