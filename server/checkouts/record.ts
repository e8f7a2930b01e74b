/**
 * The stored record of a checkout: the requested terms, the visit (how the shopper opens the hosted page and returns),
 * the session, and the reported state.
 */

import { z } from 'zod'
import { ChargeRequest, SplitSettlement } from '../contract/charge.ts'
import { InitiateRequest } from '../contract/checkout.ts'
import { CheckoutError } from '../contract/errors.ts'
import { CHECKOUT_STATUS } from '../contract/status.ts'
import { ServiceConfirmation } from '../transactions/service-confirmation.ts'
import { ReportedState } from '../payins/reported-state.ts'
import type { Stored } from '../transactions/record.ts'
import { createReader } from '../transactions/record.ts'
import { submissionState } from '../transactions/submission.ts'
import { Visit } from './visit.ts'

/**
 * The requested terms of a checkout. Later initiate requests for the order are compared with these terms. The payment
 * that the gateway reports is compared with these terms too.
 */
export const RequestedTerms = z.object({
  order: z.string(),
  /** The requested amount: decimal text in major units of `currency`. */
  amount: z.string(),
  currency: z.string(),
  service_code: z.string(),
  account_number: z.string(),
  /** The requested lifetime of the session, in minutes. */
  expires_in: z.number(),
  /**
   * The shares of the amount for partner accounts, with the shares that PARTNER_ACCOUNTS_DYNAMIC adds. Empty if the
   * order has no splits.
   */
  splits: z.array(SplitSettlement),
})
export type RequestedTerms = z.output<typeof RequestedTerms>

export const Session = z.object({
  /** The gateway's reference of the session; `null` if the gateway's response did not contain one. */
  checkout_reference: z.string().nullable(),
  redirect_url: z.string(),
  /** When the session expires, in milliseconds since the Unix epoch. */
  expires_at: z.number(),
})
export type Session = z.output<typeof Session>

export const Submission = z.discriminatedUnion('variant', [
  z.object({ variant: z.literal('standard'), request: InitiateRequest }),
  z.object({ variant: z.literal('charge'), request: ChargeRequest }),
])
export type Submission = z.output<typeof Submission>

const kept = { requested: RequestedTerms, visit: Visit }

export const CheckoutRecord = z.discriminatedUnion('phase', [
  /**
   * The checkout is stored, but the gateway has not acknowledged it. `submission` is the whole request, so that a
   * resend has the same bytes. The {@link Sealer} encrypted it, unless an earlier version of this server stored it.
   */
  z.object({
    phase: z.literal('intended'),
    ...kept,
    submission: z.union([z.string(), Submission]),
    ...submissionState,
  }),
  /** The gateway acknowledged the checkout and created a session. The payer's details are no longer stored. */
  z.object({
    phase: z.literal('open'),
    ...kept,
    session: Session,
    reported: ReportedState.nullable(),
    /**
     * Milliseconds since the Unix epoch: the time of the query that settled the checkout, or of a later query with
     * another reported state. `null` while the checkout is unsettled.
     */
    settled_at: z.number().nullable(),
    /**
     * Whether a `checkout.paid` or `checkout.paid_late` event was emitted. Only one of the two is emitted, and only
     * once.
     */
    paid_emitted: z.boolean().default(false),
    /**
     * When the gateway first reported that it does not know this acknowledged checkout, in milliseconds since the Unix
     * epoch. If a later report settles the checkout, the time of that report. `null` if the gateway has reported a
     * status since.
     */
    unknown_at: z.number().nullable(),
    /**
     * A reported status that must not follow the stored status, and was therefore not stored as `reported`. A person
     * has to check such a checkout. `null` if the last reported status was allowed.
     */
    contradiction: z.literal(Object.values(CHECKOUT_STATUS)).nullable(),
    /** The service confirmation of the payment; `null` if the order has no splits. */
    confirmation: ServiceConfirmation.nullable(),
  }),
  /** The gateway refused the checkout, or the gateway's response contradicted the request. */
  z.object({
    phase: z.literal('refused'),
    ...kept,
    why: z.string(),
    /** The gateway's error object; `null` if the gateway's response contradicted the request. */
    refusal: CheckoutError.nullable(),
  }),
  /** The gateway never received the checkout, and the shopper has left. */
  z.object({ phase: z.literal('abandoned'), ...kept }),
])
export type CheckoutRecord = z.output<typeof CheckoutRecord>
export type IntendedCheckout = Extract<CheckoutRecord, { phase: 'intended' }>
export type OpenCheckout = Extract<CheckoutRecord, { phase: 'open' }>

export type Checkout<Record extends CheckoutRecord = CheckoutRecord> = Stored<Record>

export const readCheckout = createReader(CheckoutRecord)

export function isOpen(checkout: Checkout): checkout is Checkout<OpenCheckout> {
  return checkout.record.phase === 'open'
}
