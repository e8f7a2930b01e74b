/**
 * Airtime as it is stored: one row for each request to the gateway, with all its recipients and what was last seen
 * of each, so that one question answers for a thousand of them.
 */

import { z } from 'zod'
import { AIRTIME_STATUS } from '../contract/status.ts'
import type { Transaction } from '../store.ts'

/** What the gateway last said of a recipient. */
const ReportedState = z.object({
  service_status: z.literal(Object.values(AIRTIME_STATUS)),
  provider_reference: z.string().nullable(),
  correlation_id: z.string().nullable(),
  message: z.string().nullable(),
})
export type ReportedState = z.output<typeof ReportedState>

const Recipient = z.object({
  phone_number: z.string(),
  /** What was asked; `null` for somebody whom the gateway names and nobody asked for. */
  amount: z.string().nullable(),
  reported: ReportedState.nullable(),
  /** Since when the gateway's list leaves it out. */
  missing_since: z.number().nullable(),
  /** Why a person has to look, beside what the status says; `null` when nobody has to. */
  attention: z.string().nullable(),
})
export type Recipient = z.output<typeof Recipient>

const recipients = z.array(Recipient)

export const AirtimeRecord = z.discriminatedUnion('phase', [
  /** Stored before the gateway is asked, and never acknowledged yet. */
  z.object({
    phase: z.literal('intended'),
    recipients,
    /** How often the gateway knew nothing of it since it was sent. */
    missing: z.number(),
    /** Why it is not sent, or not known to have arrived, and a person has to look. */
    stuck: z.string().nullable(),
  }),
  /** 720, or known to the gateway after a send whose answer was lost. */
  z.object({ phase: z.literal('accepted'), recipients, settled_at: z.number().nullable() }),
  /** 721. */
  z.object({
    phase: z.literal('rejected'),
    recipients,
    response_description: z.string(),
    /** 721 also says that the reference was used before; now the gateway has said that it knows none of it. */
    is_confirmed: z.boolean(),
  }),
])
export type AirtimeRecord = z.output<typeof AirtimeRecord>
export type IntendedAirtime = Extract<AirtimeRecord, { phase: 'intended' }>
export type AcceptedAirtime = Extract<AirtimeRecord, { phase: 'accepted' }>
export type RejectedAirtime = Extract<AirtimeRecord, { phase: 'rejected' }>

/** A row whose record was read and understood. */
export type Airtime<Record extends AirtimeRecord = AirtimeRecord> = Omit<Transaction, 'record'> & {
  record: Record
}

export function readAirtime(row: Transaction): Airtime {
  return { ...row, record: AirtimeRecord.parse(row.record) }
}
