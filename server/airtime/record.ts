/**
 * The stored record of one airtime request to the gateway, and the outcomes that follow from it: that of each recipient,
 * and that of the whole request. Pure. [spec: Airtime service_status]
 *
 * One row contains all recipients of a request (at most 1,000), because one status query reports them all.
 */

import { z } from 'zod'

import { add, canonical } from '../contract/decimal.ts'
import { AIRTIME_STATUS } from '../contract/status.ts'
import { movedMoney } from '../money-out/moved-money.ts'
import { acknowledgedStanding, difference } from '../money-out/reported-status.ts'
import { Alarm } from '../transactions/alarm.ts'
import { Consulted } from '../transactions/consulted.ts'
import { missing_since } from '../transactions/missing-report.ts'
import { createReader, storedAmount, storedTime } from '../transactions/record.ts'
import { Resolution } from '../transactions/resolution.ts'
import { resolvedStanding } from '../transactions/resolving.ts'
import { standing } from '../transactions/standing.ts'
import { submissionState } from '../transactions/submission.ts'
import { told } from '../transactions/told.ts'

import type { AirtimeOutcome, AirtimeSummary, Subtotal } from '../api/airtime.ts'
import type { AirtimeStatus } from '../contract/status.ts'
import type { StatusRules } from '../money-out/reported-status.ts'
import type { Stored } from '../transactions/record.ts'
import type { Standing } from '../transactions/standing.ts'

/** The last state that the gateway reported for a recipient. A field that the gateway did not report is `null`. */
export const ReportedRecipient = z.object({
  /** When the gateway first reported this status, in milliseconds since the Unix epoch. */
  since: storedTime,
  service_status: z.literal(Object.values(AIRTIME_STATUS)),
  provider_reference: z.string().nullable(),
  correlation_id: z.string().nullable(),
  message: z.string().nullable(),
  /** How the report differs from the request, as a sentence; `null` if it does not. */
  difference,
  // `paid` and `returned`: what the recipient got, and what of it came back.
  ...movedMoney,
})
export type ReportedRecipient = z.output<typeof ReportedRecipient>

export const Recipient = z.object({
  /**
   * The phone number. `null` if it was erased, if it cannot be decrypted at the moment, or if the merchant did not request
   * airtime for it.
   */
  phone_number: z.string().nullable(),
  /** The fingerprint of the phone number, by which the recipient is found in the gateway's list. */
  fingerprint: z.string(),
  /**
   * The requested amount: decimal text in major units of the recipient's local currency. `null` if the merchant did not
   * request airtime for this phone number.
   */
  amount: storedAmount.nullable(),
  reported: ReportedRecipient.nullable(),
  /** Since when the gateway's list has lacked the recipient; `null` while it does not. */
  missing_since,
  /**
   * Why a person has to check the recipient, if the reason is not the reported state itself; `null` if there is no such
   * reason.
   */
  alarm: Alarm.nullable(),
  /** What a person found out; `null` if nobody resolved it. */
  resolution: Resolution.nullable(),
  /** The reports about which a person was asked, and the answer. */
  consulted: Consulted.exactOptional(),
  /** The events about the recipient that the merchant was sent. */
  told,
})
export type Recipient = z.output<typeof Recipient>

const recipients = z.array(Recipient)
/** The fingerprint of the merchant's request, by which a repeated request is recognized. */
const request_fingerprint = z.string()

/** The gateway's answer that rejects a request (acknowledgement 721). */
const Rejection = z.object({ response_description: z.string().nullable() })

export const AirtimeRecord = z.discriminatedUnion('phase', [
  /** The request is stored, but not yet acknowledged by the gateway. */
  z.object({
    phase: z.literal('intended'),
    recipients,
    request_fingerprint,
    // `unknown`, `stuck` and `refused`: what sending it and looking for it has shown so far.
    ...submissionState(Rejection),
  }),
  /** The gateway accepted the request (acknowledgement 720), or a status query found it. */
  z.object({
    phase: z.literal('accepted'),
    recipients,
    request_fingerprint,
    settled_at: z.number().nullable(),
  }),
  /** The gateway rejected the request (acknowledgement 721), and status queries did not find it. */
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

export type Airtime<Phase extends AirtimeRecord = AirtimeRecord> = Stored<Phase>

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
 * What each status means, and the statuses that may follow it.
 *
 * The spec says that `processing` (601) and `jammed` (604) are not final. `unprocessed` (600) and `reprocessing` (607) are
 * not final either, because the gateway has yet to process the recipient. [assumed] Until it has ended, a recipient may go
 * back to an earlier status. After `successful`, the airtime can only be returned: the merchant believes it was delivered.
 * A delivery after a failure or a return is late, and needs a person (`standingOf` in `money-out/reported-status.ts`).
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

/** Returns the outcome of one recipient, and whether it is settled or a person has to check it. */
export function determineOutcome(record: AirtimeRecord, recipient: Recipient): Standing {
  const resolved = resolvedStanding(recipient)
  if (resolved) {
    return resolved
  }

  switch (record.phase) {
    case 'intended':
      // If it is stuck, a person has to check it.
      return standing('sending', record.stuck)
    case 'rejected':
      return standing('failed')
    case 'accepted':
      return acknowledgedStanding(STATUS_RULES, recipient)
  }
}

export function isSettled(record: AirtimeRecord): boolean {
  return record.recipients.every((recipient) => determineOutcome(record, recipient).settled)
}

const NOTHING: Subtotal = { count: 0, amount: '0' }

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

function withOneMore({ count, amount }: Subtotal, recipient: Recipient): Subtotal {
  return {
    count: count + 1,
    amount: recipient.amount === null ? amount : canonical(add(amount, recipient.amount)),
  }
}

/**
 * Returns the outcome of all recipients together: what has not ended counts first, then how many succeeded. Airtime that
 * was returned did not succeed. A list has at least one recipient.
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
