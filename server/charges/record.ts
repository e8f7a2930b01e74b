/** The stored record of a charge, and its outcome. Pure. */

import { z } from 'zod'

import { ChargeRequest, ChargeResponse, splitSettlementsIn } from '../contract/charge.ts'
import { add } from '../contract/decimal.ts'
import { CheckoutError } from '../contract/errors.ts'
import { isTotalOf, totalOf } from '../money/charge-total.ts'
import { whyUnserved } from '../payins/fulfilment.ts'
import { ledgerOf } from '../payins/ledger.ts'
import { determinePayInOutcome } from '../payins/outcome.ts'
import { idOf, whyElsewhere } from '../payins/payment.ts'
import { intendedFields, namedId, openFields } from '../payins/record.ts'
import { createReader } from '../transactions/record.ts'
import { Resolution } from '../transactions/resolution.ts'
import { resolvedStanding } from '../transactions/resolving.ts'
import { DAY } from '../transactions/schedule.ts'
import { standing } from '../transactions/standing.ts'
import { told } from '../transactions/told.ts'

import type { TrackedOutcome } from '../api/tracked.ts'
import type { Discrepancy } from '../api/view.ts'
import type { Decimal } from '../contract/decimal.ts'
import type { ReportedState } from '../payins/reported-state.ts'
import type { Stored } from '../transactions/record.ts'
import type { Standing } from '../transactions/standing.ts'

/** The part of the request that is kept: the terms, without the payer's details and the merchant's texts. */
export const KeptRequest = ChargeRequest.pick({
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
  /** What the payer pays for; `null` if the merchant did not say, once it was erased, or while it cannot be decrypted. */
  narration: z.string().nullable(),
  /** The fingerprints of the payer's phone number and e-mail address; `null` once the payer's data were erased. */
  people: z.array(z.string()).nullable(),
  told,
  /** What a person found out; `null` if nobody resolved it. */
  resolution: Resolution.nullable(),
  named_id: namedId,
}

/** The part of the gateway's response to the charge request that is kept. */
export const Answer = ChargeResponse.omit({
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
    ...intendedFields,
  }),
  /** The gateway acknowledged the charge with 176, or a status query found the charge. */
  z.object({
    phase: z.literal('open'),
    ...requested,
    /** The gateway's response to the charge request; `null` if the response was lost or has not arrived yet. */
    answer: Answer.nullable(),
    ...openFields,
  }),
  /** The gateway or this server refused the charge. */
  z.object({
    phase: z.literal('refused'),
    ...requested,
    why: z.string(),
    /** The gateway's error object; `null` if this server refused the charge. */
    refusal: CheckoutError.nullable(),
  }),
  /** The charge was given up: the server ended before it was sent, and the payer no longer expects it. */
  z.object({ phase: z.literal('abandoned'), ...requested }),
])
export type ChargeRecord = z.output<typeof ChargeRecord>
export type IntendedCharge = Extract<ChargeRecord, { phase: 'intended' }>
export type OpenCharge = Extract<ChargeRecord, { phase: 'open' }>
export type ClosedCharge = Extract<ChargeRecord, { phase: 'refused' | 'abandoned' }>

export type Charge<Record extends ChargeRecord = ChargeRecord> = Stored<Record>

export const readCharge = createReader(ChargeRecord)

/** Returns the terms of a request, without the payer's details and the texts that the merchant has written. */
export function withoutPayer(request: ChargeRequest): KeptRequest {
  const splits = splitSettlementsIn(request.extra_data)
  const extra_data = splits.length === 0 ? undefined : { split_settlements: [...splits] }
  return KeptRequest.parse({ ...request, extra_data })
}

interface ChargeOutcome extends Standing {
  discrepancy: Discrepancy | null
}

export function determineOutcome({ record, ...row }: Charge): ChargeOutcome {
  const resolved = resolvedStanding(record)
  if (resolved) {
    return { discrepancy: null, ...resolved }
  }

  switch (record.phase) {
    case 'intended':
      return chargeOutcome('sending', record.stuck)
    case 'open':
      return determineOpen({ ...row, record })
    case 'refused':
    case 'abandoned':
      return chargeOutcome('failed')
  }
}

function determineOpen(charge: Charge<OpenCharge>): ChargeOutcome {
  const { alarm, reported, gone_at } = charge.record
  if (alarm !== null) {
    return chargeOutcome('pending', alarm.why)
  }
  if (!reported) {
    return chargeOutcome(gone_at === null ? 'pending' : 'failed')
  }

  const { outcome, discrepancy, settled } = payInOutcomeOf(charge, reported)
  const elsewhere = whyElsewhere(reported)
  if (elsewhere !== null) {
    return chargeOutcome('pending', elsewhere, discrepancy)
  }

  const unserved = whyUnserved(charge.record, outcome === 'paid')
  switch (outcome) {
    case 'waiting':
    case 'pending':
      return chargeOutcome('pending', unserved)
    case 'unpaid':
      return chargeOutcome(settled ? 'failed' : 'pending', unserved)
    case 'partial':
      return chargeOutcome('pending', unserved ?? (settled ? PART_PAID : null))
    case 'expired':
      return chargeOutcome('failed', unserved)
    case 'reversed':
    case 'refunded':
      return chargeOutcome(outcome, unserved)
    case 'jammed':
      return chargeOutcome('pending', 'The payment is stuck at the operator.')
    case 'review':
      return chargeOutcome('pending', WHY_REVIEWED, discrepancy)
    case 'paid':
      return chargeOutcome('succeeded', unserved, discrepancy)
  }
}

/**
 * Returns whether the charge is followed as settled, like every pay-in: the gateway has reported an end, also one that
 * needs a person. After an alarm it is not, because a later report may resolve the alarm.
 */
export function isFollowedAsSettled(charge: Charge): boolean {
  const { record, ...row } = charge
  if (record.phase !== 'open' || !record.reported || record.alarm || record.resolution) {
    return determineOutcome(charge).settled
  }
  return payInOutcomeOf({ ...row, record }, record.reported).settled
}

function chargeOutcome(
  outcome: TrackedOutcome,
  attention: string | null = null,
  discrepancy: Discrepancy | null = null,
): ChargeOutcome {
  return { discrepancy, ...standing(outcome, attention) }
}

const PART_PAID = 'A part was paid; the rest no longer can be.'
const WHY_REVIEWED = 'There may be money, and not as it was asked: see status, amount_paid and discrepancy.'

/** Returns what the gateway has reported of a charge. */
export function payInOutcomeOf(charge: Charge<OpenCharge>, reported: ReportedState) {
  const { record, reference } = charge
  const { request, gone_at } = record
  // A gateway that no longer knows the charge leaves its last report as it is, while time passes.
  const at = Math.max(reported.at, gone_at ?? 0)
  return determinePayInOutcome(
    { ...reported, at },
    {
      ...request,
      amount: totalAskedOf(record),
      currency: request.currency_code,
      reference,
      checkout_reference: null,
      expires_at: expiryOf(record),
      is_prompt: isDirect(record, reported),
    },
  )
}

/**
 * Returns the total that was asked of the payer: the one that the gateway's response states. If the response was lost, it
 * is what the payments, in the order of hearing of them, came to when it first was right for the request, and the lowest
 * that is until then. [assumed] What is paid or goes back afterwards does not change it.
 */
export function totalAskedOf(record: ChargeRecord): Decimal {
  const { request } = record
  const { answer, reported } = record.phase === 'open' ? record : { answer: null, reported: null }
  if (answer !== null) {
    return answer.total_amount
  }

  return (reported && firstRightTotal(request, reported)) ?? totalOf(request)
}

function firstRightTotal(request: KeptRequest, reported: ReportedState): Decimal | null {
  const { paid, payments } = ledgerOf(reported)
  const worthOf = (id: string) => payments.find(({ payment }) => idOf(payment) === id)?.worth ?? '0'
  const named = reported.known.map(({ id, worth }) => worth ?? worthOf(id))
  const nameless = payments.filter(({ payment }) => idOf(payment) === null)
  let total = '0'
  for (const worth of [...named, ...nameless.map((each) => each.worth)]) {
    total = add(total, worth)
    if (isTotalOf(request, total)) {
      return total
    }
  }
  return isTotalOf(request, paid) ? paid : null
}

/**
 * Returns when the session of a charge ends, in milliseconds since the Unix epoch. [assumed] A charge without a time of
 * expiry can be paid for a day.
 */
export function expiryOf({ answer, answered_at }: OpenCharge): number {
  return answer?.expires_at ? Date.parse(answer.expires_at) : answered_at + DAY
}

/**
 * Returns whether the charge is direct: the gateway asks the payer to approve the payment, without a hosted page. Other
 * charges can be paid on a hosted page until the session expires.
 *
 * [assumed] The gateway asks the payer of a direct charge only once. A charge without a page that the gateway reports as
 * one payment is direct.
 */
export function isDirect({ request, answer }: OpenCharge, reported: ReportedState | null): boolean {
  if (request.payment_method_code !== undefined) {
    return true
  }

  const hasPage = typeof answer?.redirect_url === 'string'
  return !hasPage && reported !== null && reported.checkout_reference === null
}
