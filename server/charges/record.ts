/** The stored record of a charge, its outcome, and its transitions. Pure. */

import type { TrackedOutcome } from '../api/tracked.ts'
import type { Discrepancy } from '../api/view.ts'
import type { Refused } from '../payins/payer.ts'
import type { Confirming } from '../payins/service-confirmation.ts'
import type { StatusAnswer } from '../payins/status-query.ts'
import type { Stored } from '../transactions/record.ts'
import type { Missing } from '../transactions/submission.ts'
import type { Overdue, Standing, TransitionResult } from '../transactions/transition.ts'
import { z } from 'zod'
import { ChargeRequest, ChargeResponse, splitSettlementsIn } from '../contract/charge.ts'
import { CheckoutError } from '../contract/errors.ts'
import { totalOf } from '../money/money.ts'
import {
  canFollow,
  determinePayInOutcome,
  hasMoney,
  isSameReport,
  moneyOf,
  ReportedState,
  toReportedState,
} from '../payins/outcome.ts'
import { isRefundDue, transitionConfirmation } from '../payins/service-confirmation.ts'
import { ServiceConfirmation } from '../transactions/kind.ts'
import { createReader, storedTime } from '../transactions/record.ts'
import { DAY } from '../transactions/schedule.ts'
import { alarmIfMissing, countMissing, submissionState, WHY_MISSING } from '../transactions/submission.ts'
import {
  Alarm,
  alarmAfter,
  answeredAt,
  changed,
  hasEnded,
  LATE,
  raise,
  standing,
  told,
  unchanged,
} from '../transactions/transition.ts'

/** The part of the request that is kept: the terms, without the payer's details and the merchant's texts. */
const KeptRequest = ChargeRequest.pick({
  external_reference: true,
  service_code: true,
  account_number: true,
  currency_code: true,
  amount: true,
  add_transaction_charge: true,
  transaction_charge: true,
  payment_method_code: true,
  extra_data: true,
})
export type KeptRequest = z.output<typeof KeptRequest>

const requested = {
  request: KeptRequest,
  /**
   * The fingerprint of the fields that the merchant sent. A repeated request is recognized by this fingerprint, because
   * the other fields come from the configuration and may have changed since.
   */
  given_digest: z.string(),
  /** The fingerprints of the payer's phone number and e-mail address. */
  people: z.array(z.string()),
  told,
}

/** The part of the gateway's response to the charge request that is kept. */
const Answer = ChargeResponse.omit({
  status_code: true,
  status_description: true,
  external_reference: true,
  currency_code: true,
})

export const ChargeRecord = z.discriminatedUnion('phase', [
  /**
   * The charge is stored, but not yet acknowledged by the gateway. The complete request is in `call`; it is `null`
   * if it cannot be decrypted.
   */
  z.object({
    phase: z.literal('intended'),
    ...requested,
    call: z.object({ request: ChargeRequest.nullable() }),
    ...submissionState,
  }),
  /** The gateway acknowledged the charge with 176, or a status query found the charge. */
  z.object({
    phase: z.literal('posted'),
    ...requested,
    /** The gateway's response to the charge request; `null` if the response was lost or has not arrived yet. */
    answer: Answer.nullable(),
    /** When the gateway gave this response, by its own clock, in milliseconds since the Unix epoch. */
    answered_at: storedTime.optional(),
    reported: ReportedState.nullable(),
    settled_at: z.number().nullable(),
    confirmation: ServiceConfirmation,
    /** Why a person has to check the charge, apart from what was reported; `null` if there is no such reason. */
    alarm: Alarm.nullable(),
  }),
  /**
   * The gateway refused the charge, or the charge was never sent. If the gateway reports a payment all the same, the
   * charge becomes `posted`.
   */
  z.object({
    phase: z.literal('refused'),
    ...requested,
    why: z.string(),
    /** The gateway's error object; `null` if the charge was never sent. */
    refusal: CheckoutError.nullable(),
  }),
])
export type ChargeRecord = z.output<typeof ChargeRecord>
export type IntendedCharge = Extract<ChargeRecord, { phase: 'intended' }>
export type PostedCharge = Extract<ChargeRecord, { phase: 'posted' }>

/** Returns the terms of a request, without the payer's details and the texts that the merchant has written. */
export function withoutPayer(request: ChargeRequest): KeptRequest {
  const splits = splitSettlementsIn(request.extra_data)
  const extra_data = splits.length === 0 ? undefined : { split_settlements: [...splits] }
  return KeptRequest.parse({ ...request, extra_data })
}

export type Charge<Record extends ChargeRecord = ChargeRecord> = Stored<Record>

export const readCharge = createReader(ChargeRecord)

interface ChargeOutcome extends Standing {
  discrepancy: Discrepancy | null
}

export function determineOutcome({ record, ...row }: Charge): ChargeOutcome {
  if (record.phase === 'intended') return chargeOutcome('sending', record.stuck)
  return record.phase === 'refused' ? chargeOutcome('failed') : determinePosted({ ...row, record })
}

function determinePosted(charge: Charge<PostedCharge>): ChargeOutcome {
  const { alarm, reported } = charge.record
  // If a person has to check the charge, it stays unsettled, so that its status is queried again.
  if (alarm !== null || !reported) return chargeOutcome('pending', alarm?.why)
  const { outcome, discrepancy, settled } = payInOutcomeOf(charge, reported)
  switch (outcome) {
    case 'waiting':
    case 'pending':
      return chargeOutcome('pending')
    case 'unpaid':
      return chargeOutcome(settled ? 'failed' : 'pending')
    case 'partial':
      return chargeOutcome('pending', settled ? 'A part was paid; the rest no longer can be.' : null)
    case 'expired':
      return chargeOutcome('failed')
    case 'reversed':
    case 'refunded':
      return chargeOutcome(outcome)
    case 'jammed':
      return chargeOutcome('pending', 'The payment is stuck at the operator.')
    case 'review':
      return chargeOutcome('pending', WHY_REVIEWED, discrepancy)
    case 'paid':
      return chargeOutcome('succeeded', whyUnserved(charge.record), discrepancy)
  }
}

function chargeOutcome(
  outcome: TrackedOutcome,
  attention: string | null = null,
  discrepancy: Discrepancy | null = null,
): ChargeOutcome {
  return { discrepancy, ...standing(outcome, attention) }
}

const WHY_REVIEWED = 'There may be money, and not as it was asked: see status, amount_paid and discrepancy.'

/** Returns why a person has to check a charge that was paid as requested, as a sentence; `null` if nobody has to. */
function whyUnserved({ confirmation, told }: PostedCharge): string | null {
  if (confirmation.stage === 'refused') return confirmation.message
  const isServed = confirmation.stage !== 'open' && confirmation.decision.status === 'SUCCESSFUL'
  return hasEnded(told) && !isServed ? LATE : null
}

function payInOutcomeOf({ record, reference, created_at }: Charge<PostedCharge>, reported: ReportedState) {
  const { request, answer, answered_at = created_at } = record
  return determinePayInOutcome(reported, {
    ...request,
    amount: answer?.total_amount ?? totalOf(request),
    currency: request.currency_code,
    reference,
    checkout_reference: null,
    // [assumed] A charge without a time of expiry can be paid for a day.
    expires_at: answer?.expires_at ? Date.parse(answer.expires_at) : answered_at + DAY,
    is_prompt: isDirect(record, reported),
  })
}

/**
 * Returns whether the charge is direct: the gateway asks the payer to approve the payment, without a hosted page. Other
 * charges can be paid on a hosted page until the session expires.
 *
 * [assumed] The gateway asks the payer of a direct charge only once. A charge that the gateway reports as one payment
 * is direct.
 */
function isDirect({ request }: PostedCharge, { checkout_reference }: ReportedState): boolean {
  return request.payment_method_code !== undefined || checkout_reference === null
}

export type Observation =
  /**
   * The gateway acknowledged the charge with status_code 176. [spec: Checkout errors] `at` is as in
   * {@link StatusAnswer}.
   */
  { kind: 'posted'; answer: ChargeResponse; at: number | null } | Refused | StatusAnswer | Confirming

type ChargeTransitionResult = TransitionResult<ChargeRecord>

/**
 * Returns the next record of a charge, with the history entry.
 *
 * @param askedAt When the gateway was queried or the request was sent, in milliseconds since the Unix epoch.
 */
export function transition(
  charge: Charge,
  observation: Observation | Overdue,
  askedAt: number,
): ChargeTransitionResult {
  const { record } = charge
  const posted = postedOf(record)
  // Whether the session is over is for the gateway's clock to say.
  const at = answeredAt(observation, askedAt)
  switch (observation.kind) {
    case 'posted':
      if (record.phase === 'refused' || posted.answer !== null) return unchanged(record)
      return storeAnswer({ ...charge, record: { ...posted, answered_at: at } }, observation.answer, askedAt)
    case 'refused':
      if (record.phase !== 'intended') return unchanged(record)
      return refuse(record, observation)
    case 'status': {
      const reported = toReportedState(observation.payload, at, record.request.currency_code)
      const money = moneyOf(reported)
      // The merchant knows that a refused charge failed. If the gateway reports money all the same, a person has to
      // check the charge, because the payer may have paid a second time.
      if (record.phase === 'refused' && !hasMoney(money) && !money.returned) return unchanged(record)
      return report({ ...charge, record: posted }, reported, askedAt)
    }
    case 'unknown':
    case 'unfound':
    case 'overdue':
      return reportMissing(charge, observation.kind, askedAt)
    case 'decided':
    case 'accepted':
    case 'answered': {
      const isPaid = determineOutcome(charge).outcome === 'succeeded'
      const { record: next, historyEntry } = transitionConfirmation(posted, observation, isPaid)
      if (next === posted) return { record, historyEntry }
      return { record: settle({ ...charge, record: next }, askedAt), historyEntry }
    }
  }
}

/**
 * Returns the transition result of a charge about which the gateway reports nothing: a status query did not find it, or
 * its last deadline has passed.
 */
function reportMissing({ record, ...row }: Charge, why: Missing, askedAt: number): ChargeTransitionResult {
  switch (record.phase) {
    case 'intended':
      return countMissing({ ...row, record }, askedAt, why) ?? refuse(record, NEVER_SENT)
    case 'refused':
      return unchanged(record)
    case 'posted':
      return why === 'overdue' && isRefundDue(record)
        ? raise(record, WHY_MISSING.overdue, 'returned')
        : alarmIfMissing({ ...row, record }, askedAt, why)
  }
}

const NEVER_SENT = {
  why: 'It was never sent: the server ended before that, and the payer no longer expects it.',
  refusal: null,
}

function refuse(record: IntendedCharge, { why, refusal }: Omit<Refused, 'kind'>): ChargeTransitionResult {
  return changed({ phase: 'refused', ...requestedIn(record), why, refusal }, why)
}

/** Returns the part of a record that every phase has. */
function requestedIn({ request, given_digest, people, told }: ChargeRecord) {
  return { request, given_digest, people, told }
}

/**
 * Returns the transition result that stores the gateway's response to the charge request. This response may arrive
 * after the gateway has already reported a status. The outcome may then change, because the response contains the total
 * and the expiry.
 */
function storeAnswer(
  charge: Charge<PostedCharge>,
  answer: ChargeResponse,
  askedAt: number,
): ChargeTransitionResult {
  const answered = { ...charge, record: { ...charge.record, answer: Answer.parse(answer) } }
  return changed(settle(answered, askedAt), `The gateway took it as ${answer.charge_request_id}.`)
}

/** Returns the record of a charge that the gateway has: the stored one, or one without a response or a report. */
export function postedOf(record: ChargeRecord): PostedCharge {
  if (record.phase === 'posted') return record
  const unreported = { answer: null, reported: null, settled_at: null, alarm: null }
  return { phase: 'posted', ...requestedIn(record), ...unreported, confirmation: { stage: 'open' } }
}

function report(
  charge: Charge<PostedCharge>,
  reported: ReportedState,
  askedAt: number,
): ChargeTransitionResult {
  const { record } = charge
  const { status } = reported
  const before = record.reported
  if (!canFollow(before, reported))
    return raise(record, `The gateway said ${status} after ${before?.status}, which is kept.`, 'returned')
  const means = determineOutcome({ ...charge, record: { ...record, reported, alarm: null } })
  const alarm = alarmAfter(record.alarm, means.outcome, status !== before?.status)
  const next = { ...charge, record: { ...record, reported, alarm } }
  const { outcome } = determineOutcome(next)
  const isSame = alarm === record.alarm && isSameReport(before, reported)
  if (isSame && outcome === determineOutcome(charge).outcome) return unchanged(record)
  const { received } = moneyOf(reported)
  return changed(settle(next, askedAt), `The gateway says ${status}, ${received} received: ${outcome}.`)
}

/**
 * Returns the record with the time of settlement. A settled charge has no page on which the payer authorizes a card
 * payment, because this page may contain details of the payment.
 */
function settle(charge: Charge<PostedCharge>, askedAt: number): PostedCharge {
  const { record } = charge
  if (!determineOutcome(charge).settled) return { ...record, settled_at: null }
  const answer = record.answer && { ...record.answer, auth_url: null, html: null }
  return { ...record, answer, settled_at: record.settled_at ?? askedAt }
}
