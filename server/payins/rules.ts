/** The observations of pay-ins, and in what the two kinds of pay-ins (checkouts and charges) differ. Pure. */

import type { CheckoutError } from '../contract/errors.ts'
import type { Resolving } from '../transactions/observation.ts'
import type { Stored } from '../transactions/record.ts'
import type { Resolution } from '../transactions/resolution.ts'
import type { SendRule, SubmissionState } from '../transactions/submission.ts'
import type { OpenFields } from './record.ts'
import type { Refused, Taken } from './send-error.ts'
import type { Confirming } from './service-confirmation.ts'
import type { StatusAnswer } from './status-answer.ts'

/** An observation of a pay-in. `Answer` is what the gateway answers to the request. */
export type PayInObservation<Answer> =
  /**
   * The gateway's successful response to the request. It may arrive after the response to a status query. `at` is as in
   * {@link StatusAnswer}.
   */
  | { kind: 'acknowledged'; answer: Answer; at: number | null }
  | Refused
  | Taken
  | StatusAnswer
  /** A callback named the pay-in by this id of the gateway. */
  | { kind: 'named'; charge_request_id: string }
  | Confirming
  | Resolving

/** What a pay-in means to the merchant. */
export interface PayInStanding {
  outcome: string
  /** Whether the gateway has reported an end, also one that needs a person. It is then followed as settled. */
  settled: boolean
  /** Why a person has to check it, apart from its outcome; `null` if there is no such reason. */
  attention: string | null
}

/** What a report means to the merchant, apart from what this server has to say about it. */
export type Meaning = Omit<PayInStanding, 'attention'>

/** Why a pay-in ended without a report. */
export type Closing =
  | { phase: 'refused'; why: string; refusal: CheckoutError | null }
  /** The gateway never received the request, and nobody started it again; or nobody can pay what it created. */
  | { phase: 'abandoned' }

/** The hosted page of a request that was not acknowledged. Its address is only in the response to the request. */
export type LostPage =
  /** The pay-in is followed without a page. */
  | { kind: 'none' }
  /** The request is not sent again: nobody will ever have the address. */
  | { kind: 'unreachable' }
  /** The request is sent again to learn the address, while the page lives. */
  | { kind: 'recoverable'; lifetimeMs: number }

/** The fields that a record has in every phase. */
interface CommonFields {
  people: string[] | null
  told: string[]
  named_id: string | null
  /** What a person found out; `null` if nobody resolved it. */
  resolution: Resolution | null
}
export type IntendedRecord = { phase: 'intended'; call: { request: unknown } } & CommonFields &
  SubmissionState<CheckoutError | null>
export type OpenRecord = { phase: 'open' } & CommonFields & OpenFields
export type ClosedRecord = { phase: Closing['phase'] } & CommonFields

/** The functions in which the kinds of pay-ins differ. */
export interface PayInRules<Intended, Open, Closed, Answer> {
  currencyOf(record: Intended | Open | Closed): string
  sendRuleOf(record: Intended): SendRule
  lostPageOf(row: Stored<Intended>): LostPage
  /**
   * Returns the record of a pay-in that the gateway knows.
   *
   * @param answer The gateway's response; `null` if it was lost.
   * @param at When the gateway answered, by its clock.
   */
  open(record: Intended | Closed, answer: Answer | null, at: number): Open
  /** Returns whether the gateway can be asked about the pay-in without an id from a callback. */
  isIdentified(record: Open): boolean
  /** Returns the record with the gateway's response, or the record itself if it has one. */
  withAnswer(record: Open, answer: Answer): Open
  close(record: Intended, closing: Closing): Closed
  /** Returns the record of a settled pay-in, without what is of no use any more. */
  clear(record: Open): Open
  standingOf(row: Stored<Intended | Open | Closed>): PayInStanding
  /** Returns whether a start of the order would resume the pay-in, because it can still be paid. */
  isPayable(row: Stored<Intended | Open | Closed>): boolean
  /** Returns what the stored report means, whatever a person has to check or has resolved. */
  meaningOf(row: Stored<Open>): Meaning
  /**
   * When the session of the hosted page ends, in milliseconds since the Unix epoch; `null` if the gateway prompts the
   * payer without one.
   */
  sessionEndOf(row: Stored<Open>): number | null
  /** Returns a sentence about the gateway's response. */
  describe(record: Intended | Open | Closed, answer: Answer): string
}
