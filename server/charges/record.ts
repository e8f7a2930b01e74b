/** A charge as it is stored: what was asked, how far it got, and whether it was served. */

import { z } from 'zod'
import { ChargeRequest } from '../contract/charge.ts'
import { CheckoutError } from '../contract/errors.ts'
import { ReportedState } from '../payins/reported-state.ts'
import type { Stored } from '../transactions/record.ts'
import { createReader } from '../transactions/record.ts'
import { ServiceConfirmation } from '../transactions/service-confirmation.ts'
import { submissionState } from '../transactions/submission.ts'

/** Follow `charge.` in an event's type. */
export const CHARGE_EVENTS = ['succeeded', 'failed', 'reversed', 'refunded', 'needs_attention'] as const

const requested = {
  request: ChargeRequest,
  /**
   * What the merchant gave of the request, as a digest: the rest comes from the configuration, which may change
   * before the merchant repeats the request. `null` in records written before this field existed.
   */
  given_digest: z.string().nullable(),
}

export const ChargeRecord = z.discriminatedUnion('phase', [
  /** Stored before the gateway is asked, and not acknowledged. */
  z.object({ phase: z.literal('intended'), ...requested, ...submissionState }),
  /** 176, or found by a status query after a send whose answer was lost. */
  z.object({
    phase: z.literal('posted'),
    ...requested,
    /** What the gateway answered to the request; `null` when that was lost. */
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
    confirmation: ServiceConfirmation,
    /** The events so far: each is emitted once, except `needs_attention`. */
    emitted: z.array(z.enum(CHARGE_EVENTS)),
    /** Why a person has to look, beside what the status says; `null` when nobody has to. */
    contradiction: z.string().nullable(),
  }),
  /** Nobody was charged. */
  z.object({
    phase: z.literal('refused'),
    ...requested,
    why: z.string(),
    /** The gateway's own words; `null` when it was never sent. */
    refusal: CheckoutError.nullable(),
  }),
])
export type ChargeRecord = z.output<typeof ChargeRecord>
export type IntendedCharge = Extract<ChargeRecord, { phase: 'intended' }>
export type PostedCharge = Extract<ChargeRecord, { phase: 'posted' }>

export type Charge<Record extends ChargeRecord = ChargeRecord> = Stored<Record>

export const readCharge = createReader(ChargeRecord)
