/**
 * Airtime as it is stored: one row for each request to the gateway, with its recipients and the reported state of each,
 * so that one status query settles a thousand of them.
 */

import { z } from 'zod'
import { AIRTIME_STATUS } from '../contract/status.ts'
import type { Stored } from '../transactions/record.ts'
import { createReader } from '../transactions/record.ts'
import { submissionState } from '../transactions/submission.ts'

/** What the gateway last said of a recipient. */
const ReportedRecipient = z.object({
  service_status: z.literal(Object.values(AIRTIME_STATUS)),
  provider_reference: z.string().nullable(),
  correlation_id: z.string().nullable(),
  message: z.string().nullable(),
})
export type ReportedRecipient = z.output<typeof ReportedRecipient>

const Recipient = z.object({
  phone_number: z.string(),
  /** What was requested; `null` for a number that only the gateway lists. */
  amount: z.string().nullable(),
  reported: ReportedRecipient.nullable(),
  /** When the gateway's list first left it out; `null` while it is listed. */
  missing_since: z.number().nullable(),
  /** Why a person has to look, beside what the status says; `null` when nobody has to. */
  attention: z.string().nullable(),
})
export type Recipient = z.output<typeof Recipient>

const recipients = z.array(Recipient)

export const AirtimeRecord = z.discriminatedUnion('phase', [
  /** Stored before the gateway is asked, and not acknowledged. */
  z.object({
    phase: z.literal('intended'),
    recipients,
    ...submissionState,
  }),
  /** 720, or known to the gateway after a send whose answer was lost. */
  z.object({ phase: z.literal('accepted'), recipients, settled_at: z.number().nullable() }),
  /** 721. */
  z.object({
    phase: z.literal('rejected'),
    recipients,
    response_description: z.string(),
    /** 721 may also mean that the reference was used before. `true`: the gateway then did not know the reference. */
    is_confirmed: z.boolean(),
  }),
])
export type AirtimeRecord = z.output<typeof AirtimeRecord>
export type IntendedAirtime = Extract<AirtimeRecord, { phase: 'intended' }>
export type AcceptedAirtime = Extract<AirtimeRecord, { phase: 'accepted' }>
export type RejectedAirtime = Extract<AirtimeRecord, { phase: 'rejected' }>

export type Airtime<Record extends AirtimeRecord = AirtimeRecord> = Stored<Record>

export const readAirtime = createReader(AirtimeRecord)
