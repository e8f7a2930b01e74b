/** The part of the store that holds events until they are delivered to the merchant's backend. */

import type { MerchantAccount } from './transaction.ts'

export interface NewEvent {
  id: string
  type: string
  /**
   * The part of the transaction that the event concerns, for example one airtime recipient. Events of one transaction
   * are delivered in order if their `about` is equal.
   */
  about?: string
  /** The content of the event as JSON text, equal in every delivery. */
  body: string
}

export interface OutboxEvent extends NewEvent {
  /** Number of the event in the store. Newer events have higher numbers. */
  sequence: number
  transaction_id: string
  /** The trace id of the transaction; `null` if an older server version stored the transaction. */
  trace_id: string | null
  created_at: number
  /** Number of failed deliveries of this event. */
  failures: number
  finish: 'delivered' | 'given_up' | null
  /** Time of the next delivery, if the event is neither delivered nor given up. */
  due_at: number
  /** HTTP status of the last answer of the backend; `null` if there was none. */
  last_status: number | null
  /** Beginning of the last answer, if the backend refused the event; `null` otherwise. */
  last_answer: string | null
}

/** What the backend answered. `status` is `null` if there was no HTTP response; `text` is the beginning of the answer. */
export interface DeliveryAnswer {
  status: number | null
  text: string | null
}

/**
 * The result of a delivery. After `retry`, the event is delivered again at `at`, and other events of the same
 * transaction are not delivered before `othersAt`.
 */
export type Delivery = { answer?: DeliveryAnswer } & (
  | { kind: 'delivered' }
  | { kind: 'given_up' }
  | { kind: 'retry'; at: number; othersAt: number }
)

/** An undelivered event is in `events` before the first delivery, and in `retries` after a failed delivery. */
export type EventQueue = 'events' | 'retries'

export interface Outbox {
  /**
   * Claims up to `limit` due events, at most one event per transaction. The lease until `leaseUntil` includes all
   * events of these transactions. Events of one transaction are claimed in order if their `about` is equal.
   */
  claimEvents(
    account: MerchantAccount,
    queue: EventQueue,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<OutboxEvent[]>
  finishEvent(id: string, delivery: Delivery, at: number): Promise<void>
  /** Makes events in `retries` due earlier, at random times between `now` and `now + spreadMs`. */
  hastenRetries(account: MerchantAccount, now: number, spreadMs: number): Promise<void>
  /** Resolves with the events whose sequence number is higher than `after`, oldest first. */
  listEvents(account: MerchantAccount, after: number, limit: number): Promise<OutboxEvent[]>
  /** Resolves with the event; `null` if no event of the account has this id. */
  findEvent(account: MerchantAccount, id: string): Promise<OutboxEvent | null>
  /** Makes an event due at `at`, even if it was delivered already. Resolves with `false` if no event has this id. */
  replayEvent(account: MerchantAccount, id: string, at: number): Promise<boolean>
}
