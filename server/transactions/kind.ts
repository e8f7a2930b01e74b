/**
 * Defines what each kind of transaction (checkout, charge, payout, airtime) declares, and the server's loop calls:
 *
 * 1. `sender.ts` sends a stored transaction (`send`). `synchronizer.ts` queries its status (`queryStatus`) for a callback,
 *    a page, or `reconciliation.ts`, which finds what is due. Each answer of the gateway is an observation.
 * 2. `commits.ts` passes the observation and the stored row to `row-change.ts`. There, `transition` computes the next
 *    record, and `announce` the events about it.
 * 3. `commits.ts` stores record, history, events and the time of the next query with one commit of the store.
 *    `outbox/deliver.ts` delivers the events to the merchant.
 */

import { z } from 'zod'

import { CONFIRMATIONS } from '../contract/charge.ts'
import { storedAmount } from './record.ts'
import { sendAtOf } from './schedule.ts'

import type { EventType } from '../api/kind-table.ts'
import type { Config } from '../config/config.ts'
import type { Family } from '../contract/endpoints.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Fingerprints } from '../privacy/personal.ts'
import type { Movement } from '../store/movements.ts'
import type { Transaction } from '../store/transactions.ts'
import type { Overdue } from './observation.ts'
import type { Stored } from './record.ts'
import type { Progress, SendTimes } from './schedule.ts'
import type { SendRule, SubmissionState } from './submission.ts'
import type { Requested } from './tombstone.ts'
import type { TransitionResult } from './transition-result.ts'

/** What a kind needs for its requests to the gateway. */
export interface GatewayDeps {
  client: GatewayClient
  config: Pick<Config, 'gateway'>
  fingerprints: Fingerprints
}

/** What a kind decides about its rows. Pure. */
export interface Rules<Row extends Transaction, Observation, Event> {
  /**
   * Parses the record of a stored transaction.
   *
   * @throws {RecordError} if the record is invalid.
   */
  read(transaction: Transaction): Row
  transition(row: Row, observation: Observation | Overdue, askedAt: number): TransitionResult<Row['record']>
  /**
   * Returns the events about a new record, in the order of delivery, and the record with what the merchant was told.
   */
  announce(before: Row, after: Row): { record: Row['record']; events: readonly Event[] }
  outcomeOf(row: Row): string
  /** Returns the stage that the transaction has reached, which determines the time of the next status query. */
  progressOf(row: Row): Progress
  /**
   * Returns what the tombstone of a pruned transaction keeps of the merchant's request. A later request with the same
   * reference and equal terms is treated as a repetition.
   */
  requestOf(record: Row['record']): Requested
  /**
   * Returns the type and the data of an event. `about` names the part of the transaction that the event concerns: the
   * fingerprint of one recipient's phone number; absent if the event concerns the whole transaction.
   */
  describeEvent(event: Event, row: Row, now: number): { type: EventType; data: object; about?: string }
  /** Returns the movements of money that the gateway has confirmed, as the record has them. */
  movementsOf(row: Row): Movement[]
}

/** The rules of a kind, and its requests to the gateway, each of which resolves with an observation. */
export interface Kind<Row extends Transaction, Observation, Event> extends Rules<Row, Observation, Event> {
  /** Returns the family (`contract/endpoints.ts`) of the endpoint at which the transaction's status is queried. */
  familyOf(row: Row): Family
  /** Returns how often the stored request may be sent. */
  sendRule(row: Row): SendRule
  /**
   * Sends the stored request to the gateway. If the request is sent again, its reference and its bytes are unchanged.
   * Does not query the status: after a refusal, the sender does.
   *
   * @throws {GatewayError} if the result is unknown. The stored transaction is then unchanged.
   */
  send(row: Row, deps: GatewayDeps): Promise<Observation>
  /**
   * Queries the transaction's status at the gateway.
   *
   * @throws {GatewayError} if there is no usable response. The stored transaction is then unchanged.
   */
  queryStatus(row: Row, deps: GatewayDeps): Promise<Observation>
  /**
   * Returns whether a person, or the merchant's decision about a service, is awaited although the outcome does not say
   * so: the transaction is not pruned. Absent if no transaction of this kind can be in such a state. Pure.
   */
  isAwaited?(row: Row): boolean
  /**
   * Returns the record without the data of a person; `null` if it has none of them, and a sentence that says why if
   * they are still needed. Pure.
   */
  erase(row: Row, concerns: Concerns): Erased | string | null
  /**
   * Returns the data of an event about the transaction or, unless `about` is empty, about one part of it, as the row has
   * them now. Pure. Absent if the events of this kind contain no personal data.
   *
   * @throws {RecordError} if the transaction has no such part.
   */
  eventDataOf?(row: Row, about: string): object
  /** Returns what people are told of the transaction. Pure. Absent if nobody is told of transactions of this kind. */
  factsOf?(row: Row): PaymentFacts
  /**
   * Returns the service confirmation of a transaction; `null` if the transaction needs none. Pure. Absent if no
   * transaction of this kind needs one.
   */
  confirmationOf?(row: Row): ServiceConfirmation | null
  /**
   * Returns the part of the service confirmation that is about money which the gateway holds, or has sent back because the
   * merchant said FAILED. Pure. Absent as `confirmationOf` is.
   */
  confirmationOfHeld?(row: Row): ServiceConfirmation | null
  /** Returns the decision of the merchant that is to be sent next; `null` if there is none. Pure. Absent as above. */
  decisionOf?(row: Row): Sendable | null
  /**
   * Sends the merchant's stored decision to the gateway. Absent as `confirmationOf` is.
   *
   * @throws {GatewayError} if there is no usable response. The decision is then sent again later.
   */
  sendDecision?(row: Row, decision: NamedDecision, deps: GatewayDeps): Promise<Observation>
}

/** What people are told of a payment. */
export interface PaymentFacts {
  /** The merchant's reference of it. */
  reference: string
  /** What the payer pays for; `null` if it is not known, or was erased. */
  narration: string | null
  /** What was asked for: decimal text in major units of `currency`. */
  asked: string
  currency: string
  /**
   * What the gateway holds, and the most that it was ever heard to have received: decimal text in major units of
   * `paid_currency`, which is another one only if the gateway says so.
   */
  received: string
  most: string
  paid_currency: string
  receipts: readonly string[]
  /** The fingerprints of the last four digits of the payers' phone numbers. */
  ends: readonly string[]
}

/** Returns whether one of these fingerprints is of the person whose data are erased. */
export type Concerns = (people: readonly string[]) => boolean

/** The result of an erasure. */
export interface Erased {
  record: unknown
  /** The parts of the transaction (`about`) whose events are erased; `null` erases the events about every part. */
  parts: readonly string[] | null
}

/**
 * The merchant's decision about a paid service. `SUCCESSFUL` pays the partner accounts their shares; `FAILED` refunds
 * the payer. `narration` is the merchant's reason. [spec: Service processing confirmation]
 */
const Decision = z.object({
  status: z.enum(CONFIRMATIONS),
  narration: z.string(),
  /** The id of the confirmed payment; `null` while the gateway has reported no payment id. */
  payment_id: z.string().nullable(),
})
export type Decision = z.output<typeof Decision>
/** A decision about a payment that the gateway has named: only this one can be sent. */
export type NamedDecision = Decision & { payment_id: string }

/**
 * How many sends of a decision the gateway may have taken, although the server does not have the answer. One is added
 * before each send, and taken off again if this send certainly did not arrive, or is refused. The number stays with the
 * payment when the decision ends otherwise: as long as it is not 0, a refusal of the decision does not count, and the
 * merchant cannot decide otherwise.
 */
const unanswered = z.number()

/**
 * The service confirmation of one payment: whether the paid service was provided. It is `open` until the merchant
 * decides. Then it is `decided`, and the server sends the decision before the next status query, until the gateway
 * responds. Then it is `confirmed` if the gateway has accepted the decision, or `refused` if the gateway has refused it, or
 * it is no longer sent. After this, the merchant may decide again.
 */
export const PaymentConfirmation = z.discriminatedUnion('stage', [
  z.object({
    stage: z.literal('open'),
    /** The id of the payment; `null` while the gateway has reported no payment id. */
    payment_id: z.string().nullable(),
    /**
     * Who decides: an accepted `event` about the payment or the merchant's API, or only the `api`, because the payment was
     * heard of after all the money before it went back, or a person has resolved the pay-in. Or only a `person`, by the API,
     * who is told: the gateway does not say which payment is the one of which an event told.
     */
    by: z.enum(['event', 'api', 'person']),
  }),
  z.object({
    stage: z.literal('decided'),
    decision: Decision,
    /** When the merchant decided, in milliseconds since the Unix epoch. */
    decided_at: z.number(),
    /**
     * When the decision was last sent, in milliseconds since the Unix epoch, stored before it is sent; `null` before the
     * first time. It determines when the decision is sent again, and nothing else.
     */
    sent_at: z.number().nullable(),
    unanswered,
  }),
  z.object({ stage: z.literal('confirmed'), decision: Decision, message: z.string().nullable() }),
  z.object({
    stage: z.literal('refused'),
    decision: Decision,
    message: z.string(),
    unanswered,
    /** Whether a person has resolved the pay-in since, and is not called again because of it. */
    is_resolved: z.boolean(),
  }),
])
export type PaymentConfirmation = z.output<typeof PaymentConfirmation>

/** The service confirmation of a pay-in. */
export const ServiceConfirmation = z.object({
  /**
   * What an event says is paid that the merchant accepted while the pay-in did not count as paid: decimal text in major
   * units. What the event tells of is confirmed when the pay-in does again. `null` if there is none.
   */
  accepted: storedAmount.nullable(),
  /** Each payment that the gateway has held, in the order in which the server heard of them. */
  payments: z.array(PaymentConfirmation),
})
export type ServiceConfirmation = z.output<typeof ServiceConfirmation>

/** Returns the decisions that the gateway has not answered. */
export function pendingIn({ payments }: ServiceConfirmation): PendingConfirmation[] {
  return payments.filter((each) => each.stage === 'decided')
}
export type PendingConfirmation = Extract<PaymentConfirmation, { stage: 'decided' }>

/** A decision that can be sent, and the times by which it is sent, as {@link PaymentConfirmation} has them. */
export interface Sendable extends SendTimes {
  decision: NamedDecision
}

/** Returns the decision that is sent next; `null` if there is none about a payment that the gateway has named. */
export function sendableIn(confirmation: ServiceConfirmation): Sendable | null {
  const sendable = pendingIn(confirmation).flatMap(({ decision, decided_at, sent_at }): Sendable[] => {
    const { payment_id } = decision
    return payment_id === null ? [] : [{ decision: { ...decision, payment_id }, decided_at, sent_at }]
  })
  const [next] = sendable.toSorted((one, other) => sendAtOf(one) - sendAtOf(other))
  return next ?? null
}

/** The service confirmation of a new pay-in. */
export const UNDECIDED: ServiceConfirmation = { accepted: null, payments: [] }

/**
 * The fields that the records of all kinds have. `phase` is `intended` until the gateway acknowledges or rejects the
 * transaction.
 */
type AnyRecord =
  | ({ phase: 'intended' } & SubmissionState)
  | { phase: 'accepted' | 'open' | 'rejected' | 'refused' | 'abandoned' }

/** A kind as the synchronizer sees it: rows and observations are passed only to the kind from which they come. */
export type AnyKind = Kind<Stored<AnyRecord>, AnyObservation, unknown>
export type AnyObservation = { kind: string }
