/** What the door needs to know of a kind of transaction. */

import type { Change, NewEvent, Transaction } from '../store.ts'

/** What an observation changes. Nothing more is decided after this. */
export type Step = Pick<Change, 'record' | 'due_at'> & {
  /** What happened, for the history; `null` when nothing did. */
  what: string | null
  events: Omit<NewEvent, 'id'>[]
}

/** Milliseconds since the Unix epoch. */
export interface Times {
  /** When the gateway was asked: its answer is at least as new as this. */
  askedAt: number
  now: number
}

export interface Kind<Observation> {
  /**
   * Asks the gateway about one transaction, with no store transaction open.
   * @throws {GatewayError} when there is no answer to use; the transaction then stays as it was.
   */
  ask(transaction: Transaction): Promise<Observation>
  /** Pure: what the observation changes in the transaction. */
  advance(transaction: Transaction, observation: Observation, times: Times): Step
  /** Pure: when to ask again after a question that brought no answer. */
  retryAt(transaction: Transaction, now: number): number | null
  /** Pure: for how long, in milliseconds, an answer is fresh enough for whoever asks. */
  freshForMs(transaction: Transaction, now: number): number
}
