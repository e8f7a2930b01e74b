/** A payout as it is stored: what was asked, and how far it got. */

import { z } from 'zod'
import { B2bRequest, B2bResult } from '../contract/b2b.ts'
import { PayoutRequest, PayoutResult, TransferRequest } from '../contract/payout.ts'
import type { Stored } from '../transactions/record.ts'
import { createReader } from '../transactions/record.ts'
import { submissionState } from '../transactions/submission.ts'

/** Local and international payouts, and payouts to businesses: three requests of one kind. */
export const Submission = z.discriminatedUnion('variant', [
  z.object({ variant: z.literal('local'), request: PayoutRequest }),
  z.object({ variant: z.literal('transfer'), request: TransferRequest }),
  z.object({ variant: z.literal('b2b'), request: B2bRequest }),
])
export type Submission = z.output<typeof Submission>
export type Variant = Submission['variant']

/** What the gateway last said of the payout. */
const ReportedPayout = z.discriminatedUnion('variant', [
  z.object({ variant: z.enum(['local', 'transfer']), result: PayoutResult }),
  z.object({ variant: z.literal('b2b'), result: B2bResult }),
])
export type ReportedPayout = z.output<typeof ReportedPayout>

export const PayoutRecord = z.discriminatedUnion('phase', [
  /** Stored before the gateway is asked, and not acknowledged. */
  z.object({ phase: z.literal('intended'), submission: Submission, ...submissionState }),
  /** 720, or 722 after a send whose answer was lost. */
  z.object({
    phase: z.literal('accepted'),
    submission: Submission,
    /** Of the acknowledgement; `null` where its answer was lost. */
    response_description: z.string().nullable(),
    reported: ReportedPayout.nullable(),
    settled_at: z.number().nullable(),
    /** Why a person has to look, beside what the status says; `null` when nobody has to. */
    contradiction: z.string().nullable(),
  }),
  /** 721: nothing was paid. */
  z.object({
    phase: z.literal('rejected'),
    submission: Submission,
    response_description: z.string(),
    error_code: z.string().nullable(),
    rejected_at: z.number(),
    /** The payout was sent more than once, and the first send's result is unknown: its status is still queried. */
    was_resent: z.boolean(),
  }),
])
export type PayoutRecord = z.output<typeof PayoutRecord>
export type IntendedPayout = Extract<PayoutRecord, { phase: 'intended' }>
export type AcceptedPayout = Extract<PayoutRecord, { phase: 'accepted' }>

export type Payout<Record extends PayoutRecord = PayoutRecord> = Stored<Record>

export const readPayout = createReader(PayoutRecord)
