/**
 * The stored record of one airtime request to the gateway, its outcome and those of its recipients. Pure.
 * [spec: Airtime service_status]
 *
 * One row contains all recipients of a request (at most 1,000), because one status query reports them all.
 */

import { z } from 'zod'

import { add, canonical } from '../contract/decimal.ts'
import { AIRTIME_STATUS } from '../contract/status.ts'
import { movedMoney } from '../money-out/moved-money.ts'
import { difference, standingBy } from '../money-out/reported-status.ts'
import { createReader, storedAmount, storedTime } from '../transactions/record.ts'
import { Resolution } from '../transactions/resolution.ts'
import { missing_since, submissionState } from '../transactions/submission.ts'
import { Alarm, Consulted, resolvedStanding, standing, told } from '../transactions/transition.ts'

import type { AirtimeOutcome, AirtimeSummary, Subtotal } from '../api/airtime.ts'
import type { AirtimeStatus } from '../contract/status.ts'
import type { StatusRules } from '../money-out/reported-status.ts'
import type { Stored } from '../transactions/record.ts'
import type { Standing } from '../transactions/transition.ts'

/** The last state that the gateway reported for a recipient. A field that the gateway did not report is `null`. */
export const ReportedRecipient = z.object({
  /** When the gateway was first heard to report this status, in milliseconds since the Unix epoch. */
  since: storedTime,
  service_status: z.literal(Object.values(AIRTIME_STATUS)),
  provider_reference: z.string().nullable(),
  correlation_id: z.string().nullable(),
  message: z.string().nullable(),
  difference,
  ...movedMoney,
})
export type ReportedRecipient = z.output<typeof ReportedRecipient>

export const Recipient = z.object({
  /** The phone number; `null` once it was erased, while it cannot be decrypted, and if nobody requested it. */
  phone_number: z.string().nullable(),
  /** The fingerprint of the phone number, by which the recipient is found in the gateway's list. */
  fingerprint: z.string(),
  /**
   * The requested amount: decimal text in major units of the recipient's local currency. `null` if the merchant did not
   * request airtime for this phone number.
   */
  amount: storedAmount.nullable(),
  reported: ReportedRecipient.nullable(),
  missing_since,
  /** Why a person has to check the recipient, apart from what was reported; `null` if there is no such reason. */
  alarm: Alarm.nullable(),
  /** What a person found out; `null` if nobody resolved it. */
  resolution: Resolution.nullable(),
  consulted: Consulted.exactOptional(),
  told,
})
export type Recipient = z.output<typeof Recipient>

const recipients = z.array(Recipient)
/** The fingerprint of the merchant's request, by which a repeated request is recognized. */
const request_fingerprint = z.string()

/** The gateway's acknowledgement with 721. */
const Rejection = z.object({ response_description: z.string().nullable() })

export const AirtimeRecord = z.discriminatedUnion('phase', [
  /** The request is stored, but not yet acknowledged by the gateway. */
  z.object({
    phase: z.literal('intended'),
    recipients,
    request_fingerprint,
    ...submissionState(Rejection),
  }),
  /** The gateway acknowledged the request with 720, or a status query found the request. */
  z.object({
    phase: z.literal('accepted'),
    recipients,
    request_fingerprint,
    settled_at: z.number().nullable(),
  }),
  /** The gateway rejected the request with 721, and status queries did not find the request. */
  z.object({
    phase: z.literal('rejected'),
    recipients,
    request_fingerprint,
    ...Rejection.shape,
    rejected_at: z.number(),
  }),
])
export type AirtimeRecord = z.output<typeof AirtimeRecord>
export type IntendedAirtime = Extract<AirtimeRecord, { phase: 'intended' }>
export type AcceptedAirtime = Extract<AirtimeRecord, { phase: 'accepted' }>

export type Airtime<Record extends AirtimeRecord = AirtimeRecord> = Stored<Record>

export const readAirtime = createReader(AirtimeRecord)

const {
  unprocessed,
  processing,
  successful,
  failed,
  jammed,
  reversed,
  refunded,
  submittedForReprocessing: reprocessing,
} = AIRTIME_STATUS

/**
 * The spec says that 601 and 604 are not final. 600 (not started) and 607 (will be retried) are not final either,
 * because the gateway has yet to process the recipient. [assumed] Only these statuses may follow. After 602, the
 * merchant believes that the airtime was delivered. A delivery after a failure or a return is late, and needs a person
 * (`standingOf`).
 */
export const STATUS_RULES: StatusRules<AirtimeStatus, ReportedRecipient> = {
  statusOf: (reported) => reported.service_status,
  statuses: {
    [unprocessed]: {
      outcome: 'pending',
      next: [processing, successful, failed, jammed, reversed, refunded, reprocessing],
    },
    [processing]: {
      outcome: 'pending',
      next: [unprocessed, successful, failed, jammed, reversed, refunded, reprocessing],
    },
    [successful]: { outcome: 'succeeded', next: [reversed, refunded] },
    [failed]: { outcome: 'failed', next: [successful, reversed, refunded, reprocessing] },
    [jammed]: {
      outcome: 'needs_attention',
      next: [unprocessed, processing, successful, failed, reversed, refunded, reprocessing],
    },
    [reversed]: { outcome: 'reversed', next: [successful, refunded, reprocessing] },
    [refunded]: { outcome: 'refunded', next: [successful, reversed, reprocessing] },
    [reprocessing]: {
      outcome: 'pending',
      next: [unprocessed, processing, successful, failed, jammed, reversed, refunded],
    },
  },
}

export function determineOutcome(record: AirtimeRecord, recipient: Recipient): Standing {
  const resolved = resolvedStanding(recipient)
  if (resolved) {
    return resolved
  }

  switch (record.phase) {
    case 'intended':
      return standing('sending', record.stuck)
    case 'rejected':
      return standing('failed')
    case 'accepted':
      return standingBy(STATUS_RULES, recipient)
  }
}

export function isSettled(record: AirtimeRecord): boolean {
  return record.recipients.every((recipient) => determineOutcome(record, recipient).settled)
}

/** Counts the recipients and adds up their requested amounts, for each outcome and in total. */
export function summarise(records: readonly AirtimeRecord[]): AirtimeSummary {
  const summary: AirtimeSummary = {
    total: NOTHING,
    sending: NOTHING,
    pending: NOTHING,
    succeeded: NOTHING,
    failed: NOTHING,
    reversed: NOTHING,
    refunded: NOTHING,
    needs_attention: NOTHING,
  }
  for (const record of records) {
    for (const recipient of record.recipients) {
      const { outcome } = determineOutcome(record, recipient)
      summary.total = withOneMore(summary.total, recipient)
      summary[outcome] = withOneMore(summary[outcome], recipient)
    }
  }

  return summary
}

const NOTHING: Subtotal = { count: 0, amount: '0' }

function withOneMore({ count, amount }: Subtotal, recipient: Recipient): Subtotal {
  return {
    count: count + 1,
    amount: recipient.amount === null ? amount : canonical(add(amount, recipient.amount)),
  }
}

/**
 * Returns the outcome of all recipients together. Checks the outcomes `needs_attention`, `sending` and `pending` in
 * this order, and returns the first outcome that any recipient has. If no recipient has any of these outcomes, returns
 * `succeeded` if all recipients succeeded, `partial` if some succeeded, or `failed` if none succeeded.
 */
export function outcomeOf(summary: AirtimeSummary): AirtimeOutcome {
  if (summary.needs_attention.count > 0) {
    return 'needs_attention'
  }
  if (summary.sending.count > 0) {
    return 'sending'
  }
  if (summary.pending.count > 0) {
    return 'pending'
  }
  if (summary.succeeded.count === summary.total.count) {
    return 'succeeded'
  }
  return summary.succeeded.count > 0 ? 'partial' : 'failed'
}
