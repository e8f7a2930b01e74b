/**
 * The stored record of one airtime request to the gateway. The record contains all recipients (at most 1,000) with
 * their reported states, so that one status query updates only one row.
 */

import { z } from 'zod'
import type { AirtimeRecipient } from '../contract/airtime.ts'
import { AIRTIME_STATUS } from '../contract/status.ts'
import type { Stored } from '../transactions/record.ts'
import { createReader, storedAmount } from '../transactions/record.ts'
import { submissionState } from '../transactions/submission.ts'
import { Alarm, told } from '../transactions/transition.ts'

/** The last state that the gateway reported for a recipient. A field that the gateway did not report is `null`. */
const ReportedRecipient = z.object({
  service_status: z.literal(Object.values(AIRTIME_STATUS)),
  provider_reference: z.string().nullable(),
  correlation_id: z.string().nullable(),
  message: z.string().nullable(),
})
export type ReportedRecipient = z.output<typeof ReportedRecipient>

const Recipient = z.object({
  /** The phone number; `null` once it was erased. */
  phone_number: z.string().nullable(),
  /** The fingerprint of the phone number, by which the recipient is found in the gateway's list. */
  fingerprint: z.string(),
  /**
   * The requested amount: decimal text in major units of the recipient's local currency. `null` if the merchant did not
   * request airtime for this phone number.
   */
  amount: storedAmount.nullable(),
  reported: ReportedRecipient.nullable(),
  /** Why a person has to check the recipient, apart from what was reported; `null` if there is no such reason. */
  alarm: Alarm.nullable(),
  told,
})
export type Recipient = z.output<typeof Recipient>

const recipients = z.array(Recipient)
/** The fingerprint of the merchant's request, by which a repeated request is recognized. */
const request_fingerprint = z.string()

export const AirtimeRecord = z.discriminatedUnion('phase', [
  /** The request is stored, but not yet acknowledged by the gateway. */
  z.object({
    phase: z.literal('intended'),
    recipients,
    request_fingerprint,
    ...submissionState,
  }),
  /** The gateway acknowledged the request with 720, or a status query found the request. */
  z.object({
    phase: z.literal('accepted'),
    recipients,
    request_fingerprint,
    settled_at: z.number().nullable(),
  }),
  /** The gateway rejected the request with 721, and no later status query found the request. */
  z.object({
    phase: z.literal('rejected'),
    recipients,
    request_fingerprint,
    response_description: z.string().nullable(),
    /**
     * Whether a status query showed that the gateway does not know the reference. If `false`, the gateway possibly
     * answered 721 because the reference was already in use.
     */
    is_unknown: z.boolean(),
  }),
])
export type AirtimeRecord = z.output<typeof AirtimeRecord>
export type AcceptedAirtime = Extract<AirtimeRecord, { phase: 'accepted' }>

export type Airtime<Record extends AirtimeRecord = AirtimeRecord> = Stored<Record>

export const readAirtime = createReader(AirtimeRecord)

/**
 * Returns a list with this recipient in the format of the gateway's API. The list is empty if the merchant did not
 * request airtime for this phone number (`amount` is null).
 */
export function requestedOf({
  phone_number,
  amount,
}: Pick<Recipient, 'phone_number' | 'amount'>): AirtimeRecipient[] {
  return amount === null || phone_number === null ? [] : [{ phone_number, amount }]
}
