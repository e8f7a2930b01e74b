/** A charge as it is stored: what was asked, how far it got, and whether it was served. */

import { z } from 'zod'
import { ChargeRequest } from '../contract/charge.ts'
import { CheckoutError } from '../contract/errors.ts'
import { ServiceConfirmation } from '../transactions/service-confirmation.ts'
import { ReportedState } from '../payins/reported-state.ts'
import type { Transaction } from '../store.ts'

/** What the merchant hears of a charge. */
export const CHARGE_EVENTS = ['succeeded', 'failed', 'reversed', 'refunded', 'needs_attention'] as const

export const ChargeRecord = z.discriminatedUnion('phase', [
  /** Stored before the gateway is asked, and never acknowledged yet. */
  z.object({
    phase: z.literal('intended'),
    request: ChargeRequest,
    /** How often the gateway knew nothing of it since it was sent. */
    missing: z.number(),
    /** Why a person has to look; `null` while it may still turn up. */
    stuck: z.string().nullable(),
  }),
  /** 176, or found by asking after a send whose answer was lost. */
  z.object({
    phase: z.literal('posted'),
    request: ChargeRequest,
    /** What the gateway answered when it was posted; `null` when that was lost. */
    answer: z
      .object({
        charge_request_id: z.string(),
        total_amount: z.string(),
        /** The hosted page, when it is not a direct charge. */
        redirect_url: z.string().nullable(),
        /** Milliseconds since the Unix epoch. */
        expires_at: z.number().nullable(),
      })
      .nullable(),
    reported: ReportedState.nullable(),
    settled_at: z.number().nullable(),
    fulfilment: ServiceConfirmation,
    /** Each of them once, but for those that need a person. */
    told: z.array(z.enum(CHARGE_EVENTS)),
    /** Why a person has to look, beside what the status says; `null` when nobody has to. */
    contradiction: z.string().nullable(),
  }),
  /** Nobody was charged. */
  z.object({
    phase: z.literal('refused'),
    request: ChargeRequest,
    why: z.string(),
    /** The gateway's own words; `null` when it was never sent. */
    refusal: CheckoutError.nullable(),
  }),
])
export type ChargeRecord = z.output<typeof ChargeRecord>
export type IntendedCharge = Extract<ChargeRecord, { phase: 'intended' }>
export type PostedCharge = Extract<ChargeRecord, { phase: 'posted' }>

/** A row whose record was read and understood. */
export type Charge<R extends ChargeRecord = ChargeRecord> = Omit<Transaction, 'record'> & { record: R }

/** @throws {Error} when the stored record was damaged, or written by a version that knows more. */
export function readCharge(row: Transaction): Charge {
  const { success, data, error } = ChargeRecord.safeParse(row.record)
  if (!success) throw new Error(`The record of charge ${row.id} cannot be read.`, { cause: error })
  return { ...row, record: data }
}
