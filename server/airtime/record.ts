/**
 * The stored record of one airtime request to the gateway. The record contains all recipients (at most 1,000) with
 * their reported states, so that one status query updates only one row.
 */

import { z } from 'zod'
import type { AirtimeRecipient } from '../contract/airtime.ts'
import { AIRTIME_STATUS } from '../contract/status.ts'
import type { RequestedData, Stored } from '../transactions/record.ts'
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
  /** The phone number, or its mask, such as "***001", if the recipient was masked. */
  phone_number: z.string(),
  /** The fingerprint of the phone number, if the recipient was masked. */
  fingerprint: z.string().optional(),
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
/** The fingerprint of the merchant's request, if a recipient was masked. A repeated request is recognized by it. */
const request_fingerprint = z.string().optional()

export const AirtimeRecord = z.discriminatedUnion('phase', [
  /** The request is stored, but not yet acknowledged by the gateway. */
  z.object({
    phase: z.literal('intended'),
    recipients,
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
    response_description: z.string(),
    /**
     * Whether a status query showed that the gateway does not know the reference. If `false`, the gateway possibly
     * answered 721 because the reference was already in use.
     */
    is_confirmed: z.boolean(),
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
export function requestedOf({ phone_number, amount }: Recipient): AirtimeRecipient[] {
  return amount === null ? [] : [{ phone_number, amount }]
}

/** Returns the requested recipients or, if a recipient was masked, the fingerprint of the request. */
export function requestedDataOf(record: AirtimeRecord): RequestedData {
  return record.phase === 'intended' || record.request_fingerprint === undefined
    ? { terms: record.recipients.flatMap(requestedOf) }
    : { fingerprint: record.request_fingerprint }
}
