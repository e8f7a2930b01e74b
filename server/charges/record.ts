/**
 * The stored record of a charge: the request, the reported state, and the service confirmation. Also computes the
 * outcome from the record: it depends on whether the reported payments match the requested terms.
 */

import type { Stored } from '../transactions/record.ts'
import type { Discrepancy } from '../api/view.ts'
import type { Standing } from '../transactions/transition.ts'
import { createReader, storedAmount, storedTime } from '../transactions/record.ts'
import { Alarm, told, hasEnded, LATE, standing } from '../transactions/transition.ts'
import { z } from 'zod'
import { ChargeRequest, splitSettlementsIn } from '../contract/charge.ts'
import { CheckoutError } from '../contract/errors.ts'
import { ServiceConfirmation } from '../transactions/kind.ts'
import { submissionState } from '../transactions/submission.ts'
import { determinePayInOutcome, ReportedState } from '../payins/outcome.ts'
import { DAY } from '../transactions/schedule.ts'
import { totalOf } from '../money/money.ts'

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
    answer: z
      .object({
        charge_request_id: z.string(),
        total_amount: storedAmount,
        /** The URL of the hosted page; `null` if the gateway prompts the payer directly. */
        redirect_url: z.string().nullable(),
        /** The URL of the page on which the payer authorizes a card payment; `null` if there is none. */
        auth_url: z.string().nullable(),
        /** The HTML of the page on which the payer authorizes a card payment; `null` if there is none. */
        html: z.string().nullable(),
        /**
         * When the session of the hosted page expires, in milliseconds since the Unix epoch; `null` if the response
         * contains no time of expiry.
         */
        expires_at: storedTime.nullable(),
      })
      .nullable(),
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

export interface ChargeOutcome extends Standing {
  discrepancy: Discrepancy | null
}

export function determineOutcome(charge: Charge): ChargeOutcome {
  return { discrepancy: null, ...standingIn(charge) }
}

function standingIn({ record, ...row }: Charge): Standing & Partial<ChargeOutcome> {
  if (record.phase === 'intended') return standing('sending', record.stuck)
  return record.phase === 'refused' ? standing('failed') : determinePosted({ ...row, record })
}

function determinePosted(charge: Charge<PostedCharge>): Standing & Partial<ChargeOutcome> {
  const { alarm, reported } = charge.record
  // If a person has to check the charge, it stays unsettled, so that its status is queried again.
  if (alarm !== null || !reported) return standing('pending', alarm?.why)
  const { outcome, discrepancy, settled } = payInOutcomeOf(charge, reported)
  switch (outcome) {
    case 'waiting':
    case 'pending':
      return standing('pending')
    case 'unpaid':
      return standing(settled ? 'failed' : 'pending')
    case 'partial':
      return standing('pending', settled ? 'A part was paid; the rest no longer can be.' : null)
    case 'expired':
      return standing('failed')
    case 'reversed':
    case 'refunded':
      return standing(outcome)
    case 'jammed':
      return standing('pending', 'The payment is stuck at the operator.')
    case 'review':
      return { ...standing('pending', WHY_REVIEWED), discrepancy }
    case 'paid':
      return { ...standing('succeeded', whyUnserved(charge.record)), discrepancy }
  }
}

const WHY_REVIEWED = 'There may be money, and not as it was asked: see status, amount_paid and discrepancy.'

/**
 * Returns why a person has to check a charge that was paid as requested, as a sentence; `null` if no check is needed.
 */
function whyUnserved({ confirmation, told }: PostedCharge): string | null {
  if (confirmation.stage === 'refused') return confirmation.why
  const isServed = confirmation.stage !== 'open' && confirmation.decision.status === 'SUCCESSFUL'
  return hasEnded(told) && !isServed ? LATE : null
}

function payInOutcomeOf({ record, reference, created_at }: Charge<PostedCharge>, reported: ReportedState) {
  const { request, answer } = record
  return determinePayInOutcome(reported, {
    ...request,
    amount: answer?.total_amount ?? totalOf(request),
    currency: request.currency_code,
    reference,
    checkout_reference: null,
    // [assumed] A charge without a time of expiry can be paid for a day.
    expires_at: answer?.expires_at ?? created_at + DAY,
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
