/** The stored record of a payout: the request and the reported state. */

import { z } from 'zod'
import { B2bRequest, B2bResult } from '../contract/b2b.ts'
import { PayoutRequest, PayoutResult, TransferRequest } from '../contract/payout.ts'
import type { Stored } from '../transactions/record.ts'
import { createReader } from '../transactions/record.ts'
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

/** The fingerprints that replace the personal data of a request. */
const masked = z.object({
  /** The fingerprint of the merchant's request, by which a repeated request is recognized. */
  request: z.string(),
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
})

/** The part of a payout's request that is not about the sender or the recipient. */
const keptPart = {
  payout_reference: true,
  service_code: true,
  source_currency: true,
  destination_currency: true,
  exchange_rate: true,
  sender_amount: true,
  recipient_amount: true,
} as const
const keptB2bPart = { payout_reference: true, service_code: true, amount: true, currency_code: true } as const

/** The request of a settled payout whose sender and recipient were masked. */
export const MaskedSubmission = z.discriminatedUnion('variant', [
  z.object({
    variant: z.enum(['local', 'transfer']),
    request: z.object(PayoutRequest.shape).pick(keptPart),
    masked,
  }),
  z.object({ variant: z.literal('b2b'), request: z.object(B2bRequest.shape).pick(keptB2bPart), masked }),
])
export type MaskedSubmission = z.output<typeof MaskedSubmission>
/** The request as it is stored after the gateway's acknowledgement. */
const StoredSubmission = z.union([Submission, MaskedSubmission])
export type StoredSubmission = z.output<typeof StoredSubmission>

/** The last state that the gateway reported for a payout. */
const ReportedPayout = z.discriminatedUnion('variant', [
  z.object({ variant: z.enum(['local', 'transfer']), result: PayoutResult }),
  z.object({ variant: z.literal('b2b'), result: B2bResult }),
])
export type ReportedPayout = z.output<typeof ReportedPayout>

export const PayoutRecord = z.discriminatedUnion('phase', [
  /** The payout is stored, but not yet acknowledged by the gateway. */
  z.object({ phase: z.literal('intended'), submission: Submission, told, ...submissionState }),
  /**
   * The gateway acknowledged the payout with 720 or 722, or a status query found the payout. The gateway responds with
   * 722 if it has already received the payout.
   */
  z.object({
    phase: z.literal('accepted'),
    submission: StoredSubmission,
    /** The description in the gateway's acknowledgement; `null` if the acknowledgement was lost. */
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
    response_description: z.string(),
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
