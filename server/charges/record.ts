/** The stored record of a charge: the request, the reported state, and the service confirmation. */

import { z } from 'zod'
import { ChargeRequest } from '../contract/charge.ts'
import { CheckoutError } from '../contract/errors.ts'
import { ReportedState } from '../payins/reported-state.ts'
import type { Stored } from '../transactions/record.ts'
import type { Requested } from '../transactions/retention.ts'
import { createReader } from '../transactions/record.ts'
import { ServiceConfirmation } from '../transactions/service-confirmation.ts'
import { submissionState } from '../transactions/submission.ts'

/** The types of the events about charges, without the prefix `charge.`. */
const CHARGE_EVENTS = ['succeeded', 'failed', 'reversed', 'refunded', 'needs_attention'] as const

const requested = {
  request: ChargeRequest,
  /**
   * The digest of the fields that the merchant sent. A repeated request is recognized by this digest, because the other
   * fields come from the configuration and may have changed since. `null` in records stored before this field existed.
   */
  given_digest: z.string().nullable(),
}

export const ChargeRecord = z.discriminatedUnion('phase', [
  /** The charge is stored, but not yet acknowledged by the gateway. */
  z.object({ phase: z.literal('intended'), ...requested, ...submissionState }),
  /** The gateway acknowledged the charge with 176, or a status query found the charge. */
  z.object({
    phase: z.literal('posted'),
    ...requested,
    /** The gateway's response to the charge request; `null` if the response was lost or has not arrived yet. */
    answer: z
      .object({
        charge_request_id: z.string(),
        total_amount: z.string(),
        /** The URL of the hosted page; `null` if the gateway prompts the payer directly. */
        redirect_url: z.string().nullable(),
        /**
         * When the session of the hosted page expires, in milliseconds since the Unix epoch; `null` if the response
         * contains no time of expiry.
         */
        expires_at: z.number().nullable(),
      })
      .nullable(),
    reported: ReportedState.nullable(),
    settled_at: z.number().nullable(),
    confirmation: ServiceConfirmation,
    /**
     * The types of the events that were emitted for this charge. Each type is emitted once, except `needs_attention`.
     */
    emitted: z.array(z.enum(CHARGE_EVENTS)),
    /**
     * How the gateway's last response contradicts an earlier response, as a sentence for the person who has to check
     * the charge; `null` if there is no contradiction.
     */
    contradiction: z.string().nullable(),
  }),
  /** The gateway refused the charge, or the charge was never sent. The payer was not charged. */
  z.object({
    phase: z.literal('refused'),
    ...requested,
    why: z.string(),
    /** The gateway's error object; `null` if the charge was never sent. */
    refusal: CheckoutError.nullable(),
  }),
])
export type ChargeRecord = z.output<typeof ChargeRecord>
export type IntendedCharge = Extract<ChargeRecord, { phase: 'intended' }>
export type PostedCharge = Extract<ChargeRecord, { phase: 'posted' }>

/**
 * Returns the requested amount and the `terms`. A repeated request must have the same terms: the digest of the fields
 * that the merchant sent or, if no digest is stored, the complete request.
 */
export function requestOf({ request, given_digest }: ChargeRecord): Requested {
  return { amount: `${request.amount} ${request.currency_code}`, terms: given_digest ?? request }
}

export type Charge<Record extends ChargeRecord = ChargeRecord> = Stored<Record>

export const readCharge = createReader(ChargeRecord)
