/** The events in the store, until they are delivered to the merchant's backend. */

import { z } from 'zod'

import type { MerchantAccount } from './merchant-account.ts'

const text = z.string()
const whole = z.int()

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

export const StoredEvent = z.object({
  id: text,
  type: text,
  /** Empty if the event concerns the whole transaction. */
  about: text,
  body: text,
  /** Number of the event in the store. Newer events have higher numbers. */
  sequence: whole,
  transaction_id: text,
  /** The trace id of the transaction; `null` if there is none. */
  trace_id: text.nullable(),
  created_at: whole,
  /** Number of failed deliveries of this event. */
  failures: whole,
  /** `no_receiver`: no destination was configured. */
  finish: z.enum(['delivered', 'no_receiver', 'given_up']).nullable(),
  /** Time of the next delivery, if `finish` is `null`. */
  due_at: whole,
  /** HTTP status of the last answer of the backend; `null` if there was none. */
  last_status: whole.nullable(),
  /** Beginning of the last answer, or why there was none, if the last delivery failed; `null` otherwise. */
  last_answer: text.nullable(),
})
export type StoredEvent = z.output<typeof StoredEvent>

/** What the backend answered: its HTTP status, `null` without one, and the beginning of the text or the error. */
export interface DeliveryAnswer {
  status: number | null
  text: string | null
}

/** The result of a delivery. After `retry`, the event is delivered again at `at`. */
export type Delivery = { answer?: DeliveryAnswer } & (
  | { kind: 'delivered' }
  | { kind: 'no_receiver' }
  | { kind: 'given_up' }
  | { kind: 'retry'; at: number }
)

/** The queue of undelivered events before the first delivery, and after a failed delivery. */
export type EventQueue = 'events' | 'retries'

export interface EventStore {
  /**
   * Claims up to `limit` due events with a lease until `leaseUntil`, those that became due last first. Events of one
   * transaction with an equal `about` are claimed in order, one at a time.
   */
  claimEvents(
    account: MerchantAccount,
    queue: EventQueue,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<StoredEvent[]>
  finishEvent(id: string, delivery: Delivery, at: number): Promise<void>
  /**
   * Makes events that are due later than in `beyondMs` due within `spreadMs`, and ends their leases within `leaseMs`.
   * With `createdSince`, only events that were created since then, and have failed.
   */
  bringEventsForward(
    account: MerchantAccount,
    now: number,
    times: Record<'beyondMs' | 'spreadMs' | 'leaseMs', number> & { createdSince?: number | undefined },
  ): Promise<void>
  /** Resolves with the events whose sequence number is higher than `after`, oldest first. */
  listEvents(account: MerchantAccount, after: number, limit: number): Promise<StoredEvent[]>
  findEvent(account: MerchantAccount, id: string): Promise<StoredEvent | null>
  /** Makes an event due at `at`, even if it was delivered already. Resolves with `false` if no event has this id. */
  replayEvent(account: MerchantAccount, id: string, at: number): Promise<boolean>
  /** Resolves with the events of a transaction, oldest first. */
  listEventsOf(transactionId: string): Promise<StoredEvent[]>
}
