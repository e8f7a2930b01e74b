/** The stored record of a payout: the request and the reported state. */

import { z } from 'zod'
import { B2bRequest, B2bResult } from '../contract/b2b.ts'
import { PayoutRequest, PayoutResult, TransferRequest } from '../contract/payout.ts'
import { PAYOUT_STATUS } from '../contract/status.ts'
import type { Stored } from '../transactions/record.ts'
import { createReader, storedAmount } from '../transactions/record.ts'
import { submissionState } from '../transactions/submission.ts'
import { Alarm, told } from '../transactions/transition.ts'

/** The request that creates a payout: a local payout, an international transfer, or a B2B payout. */
export const Submission = z.discriminatedUnion('variant', [
  z.object({ variant: z.literal('local'), request: PayoutRequest }),
  z.object({ variant: z.literal('transfer'), request: TransferRequest }),
  z.object({ variant: z.literal('b2b'), request: B2bRequest }),
])
export type Submission = z.output<typeof Submission>

export type Variant = Submission['variant']

/** What is kept of a request for as long as the payout is stored. */
const kept = {
  /** The requested amounts. The recipient gets the last one. */
  amounts: z.array(z.object({ amount: storedAmount, currency: z.string() })).min(1),
  /** The fingerprint of the merchant's request, by which a repeated request is recognized. */
  fingerprint: z.string(),
  /**
   * The fingerprints of the recipient's numbers, which are compared with the numbers that the gateway reports.
   * `bankCode` is no fingerprint, because a bank code is no personal data.
   */
  recipient: z.object({
    phone: z.string().optional(),
    account: z.string().optional(),
    bankCode: z.string().optional(),
  }),
  /** The fingerprints of all phone numbers and account numbers in the request. */
  people: z.array(z.string()),
}

/** A stored request, whose `request` is `null` once its personal data were erased. */
const StoredSubmission = z.union([
  z.object({ variant: z.literal('local'), request: PayoutRequest, ...kept }),
  z.object({ variant: z.literal('transfer'), request: TransferRequest, ...kept }),
  z.object({ variant: z.literal('b2b'), request: B2bRequest, ...kept }),
  z.object({ variant: z.enum(['local', 'transfer', 'b2b']), request: z.null(), ...kept }),
])
export type StoredSubmission = z.output<typeof StoredSubmission>

/** The last state that the gateway reported for a payout. */
const ReportedPayout = z.object({
  payment_status: z.literal(Object.values(PAYOUT_STATUS)),
  /** What the gateway returned; `null` once the personal data were erased. */
  result: z.union([PayoutResult, B2bResult]).nullable(),
})
export type ReportedPayout = z.output<typeof ReportedPayout>

export const PayoutRecord = z.discriminatedUnion('phase', [
  /** The payout is stored, but not yet acknowledged by the gateway. */
  z.object({ phase: z.literal('intended'), submission: StoredSubmission, told, ...submissionState }),
  /**
   * The gateway acknowledged the payout with 720 or 722, or a status query found the payout. The gateway responds with
   * 722 if it has already received the payout.
   */
  z.object({
    phase: z.literal('accepted'),
    submission: StoredSubmission,
    /** The description in the gateway's acknowledgement; `null` if the acknowledgement was lost, or once it was erased. */
    response_description: z.string().nullable(),
    reported: ReportedPayout.nullable(),
    settled_at: z.number().nullable(),
    /** Why a person has to check the payout; `null` if nobody has to. */
    alarm: Alarm.nullable(),
    told,
  }),
  /**
   * The gateway rejected the payout with 721. Nothing was paid, unless an earlier send of the payout succeeded; see
   * `was_resent`.
   */
  z.object({
    phase: z.literal('rejected'),
    submission: StoredSubmission,
    response_description: z.string().nullable(),
    error_code: z.string().nullable(),
    rejected_at: z.number(),
    /**
     * Whether the payout was sent more than once. If so, the server continues to query the status, because an earlier
     * send may have succeeded.
     */
    was_resent: z.boolean(),
    told,
  }),
])
export type PayoutRecord = z.output<typeof PayoutRecord>
export type IntendedPayout = Extract<PayoutRecord, { phase: 'intended' }>
export type AcceptedPayout = Extract<PayoutRecord, { phase: 'accepted' }>

export type Payout<Record extends PayoutRecord = PayoutRecord> = Stored<Record>

export const readPayout = createReader(PayoutRecord)
