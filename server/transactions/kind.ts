/** What the engine needs to know of a kind of transaction: how to send it, how to ask about it, and when. */

import type { Change, NewEvent, Transaction } from '../store.ts'

/** What an observation changes. Nothing more is decided after this. */
export type Step = Pick<Change, 'record' | 'outcome' | 'due_at'> & {
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

/** What the gateway answered, as what it makes of the transaction. Pure; applied to the row as it is by then. */
export type Observed = (transaction: Transaction, times: Times) => Step

export interface Kind {
  /** Whether the gateway never acknowledged it and it is still wanted. */
  isUnsent(transaction: Transaction): boolean
  /**
   * Sends the stored intent, for the first time or again with the same reference and the same bytes.
   * @throws {GatewayError} when the answer is unknown; the transaction then stays as it was.
   */
  send(transaction: Transaction): Promise<Observed>
  /**
   * Asks the gateway about it.
   * @throws {GatewayError} when there is no answer to use; the transaction then stays as it was.
   */
  ask(transaction: Transaction): Promise<Observed>
  /** Pure: whether it is time to send it again, after it was asked about in vain. */
  isToBeSentAgain(transaction: Transaction, now: number): boolean
  /** Pure: for how long, in milliseconds, an answer is fresh enough for whoever asks. */
  freshForMs(transaction: Transaction, now: number): number
}

export type Kinds = Readonly<Record<Transaction['kind'], Kind>>
