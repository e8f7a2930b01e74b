/** What the engine needs to know of a kind of transaction: how to send it, how to ask about it, and when. */

import type { Fulfilment, Said } from '../payments/fulfilment.ts'
import type { Change, NewEvent, Transaction } from '../store.ts'

/** What an observation changes. Nothing more is decided after this. */
export type Step = Pick<Change, 'record' | 'outcome' | 'due_at' | 'what'> & {
  events: Omit<NewEvent, 'id'>[]
}

/**
 * What the gateway answered, as what it makes of the transaction. Pure; applied to the row as it is by then.
 *
 * @param askedAt When the gateway was asked: its answer is at least as new as this.
 */
export type Observed = (transaction: Transaction, askedAt: number, now: number) => Step

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
  /** Missing where a payment is the end. */
  secondHalf?: SecondHalf
}

/** What follows a payment: the merchant says whether it was served, and the gateway is told instead of asked. */
export interface SecondHalf {
  /** Pure; `null` for one that has no second half. */
  of(transaction: Transaction): Fulfilment | null
  decide(said: Said): Observed
  /**
   * Tells the gateway what was decided; `null` where there is nothing to tell.
   * @throws {GatewayError} when there is no answer to use: it is then told again.
   */
  confirm(transaction: Transaction): Promise<Observed> | null
}

export type Kinds = Readonly<Record<Transaction['kind'], Kind>>

/** What a kind decides about its own rows. All of it is pure. */
export interface Rules<Row extends Transaction, Observation, Event> {
  read(transaction: Transaction): Row
  /** The record with what was observed, what the merchant is to hear of it, and what happened, if anything did. */
  advance(
    row: Row,
    observation: Observation,
    askedAt: number,
  ): { record: Row['record']; events: readonly Event[]; what: string | null }
  outcomeOf(row: Row): string
  /** When to ask next; `null` when nothing more can be learned. */
  askAt(row: Row, now: number): number | null
  /** What the merchant hears of an event: its type, what may be seen of the row, and whom of it it is about. */
  tell(event: Event, row: Row, now: number): { type: string; data: object; about?: string }
}

/** Makes observations of a kind by its rules. */
export function createObserved<Row extends Transaction, Observation, Event>(
  rules: Rules<Row, Observation, Event>,
) {
  return (observation: Observation): Observed =>
    (transaction, askedAt, now) => {
      const row = rules.read(transaction)
      const { record, events, what } = rules.advance(row, observation, askedAt)
      const isNew = what !== null && record !== row.record
      const next = isNew ? { ...row, record, version: row.version + 1, updated_at: now } : row
      const timestamp = new Date(now).toISOString()
      return {
        ...(isNew && { record, outcome: rules.outcomeOf(next) }),
        due_at: rules.askAt(next, now),
        what,
        events: events.map((event) => {
          const { data, ...told } = rules.tell(event, next, now)
          return { ...told, body: JSON.stringify({ type: told.type, timestamp, data }) }
        }),
      }
    }
}
