/** A payout as it is stored: what was asked, and how far it got. */

import { z } from 'zod'
import { B2bRequest, B2bResult } from '../contract/b2b.ts'
import { PayoutRequest, PayoutResult, TransferRequest } from '../contract/payout.ts'
import type { Transaction } from '../store.ts'

/** Local and international payouts, and payouts to businesses: three requests of one kind. */
export const Submission = z.discriminatedUnion('variant', [
  z.object({ variant: z.literal('local'), request: PayoutRequest }),
  z.object({ variant: z.literal('transfer'), request: TransferRequest }),
  z.object({ variant: z.literal('b2b'), request: B2bRequest }),
])
export type Submission = z.output<typeof Submission>
export type Variant = Submission['variant']

/** What the gateway last said of it. */
export const ReportedState = z.discriminatedUnion('variant', [
  z.object({ variant: z.enum(['local', 'transfer']), result: PayoutResult }),
  z.object({ variant: z.literal('b2b'), result: B2bResult }),
])
export type ReportedState = z.output<typeof ReportedState>

export const PayoutRecord = z.discriminatedUnion('phase', [
  /** Stored before the gateway is asked, and never acknowledged yet. */
  z.object({
    phase: z.literal('intended'),
    submission: Submission,
    /** How often the gateway knew nothing of it since it was sent at that time. */
    missing: z.object({ since: z.number(), times: z.number() }),
    /** Why it is no longer sent again, and a person has to look; `null` while it is. */
    stuck: z.string().nullable(),
  }),
  /** 720, or 722 after a send whose answer was lost. */
  z.object({
    phase: z.literal('accepted'),
    submission: Submission,
    reported: ReportedState.nullable(),
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
    /** It had been sent before, and what became of that was not known: it is asked about for a while. */
    was_resent: z.boolean(),
  }),
])
export type PayoutRecord = z.output<typeof PayoutRecord>
export type IntendedPayout = Extract<PayoutRecord, { phase: 'intended' }>
export type AcceptedPayout = Extract<PayoutRecord, { phase: 'accepted' }>

/** A row whose record was read and understood. */
export type Payout = Omit<Transaction, 'record'> & { record: PayoutRecord }

/** @throws {Error} when the stored record was damaged, or written by a version that knows more. */
export function readPayout(row: Transaction): Payout {
  const { success, data, error } = PayoutRecord.safeParse(row.record)
  if (!success) throw new Error(`The record of payout ${row.id} cannot be read.`, { cause: error })
  return { ...row, record: data }
}
