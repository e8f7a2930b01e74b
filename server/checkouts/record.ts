/** The stored record of a checkout: the requested terms, the shopper's return, and the progress. */

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

/** Terms compared when the same order is started again, and when the gateway reports a payment. */
export const RequestedTerms = z.object({
  order: z.string(),
  /** Decimal text in whole units of the currency. */
  amount: z.string(),
  currency: z.string(),
  service_code: z.string(),
  account_number: z.string(),
  /** Requested lifetime of the session, in minutes. */
  expires_in: z.number(),
  /** Shares of partner accounts, including the dynamic accounts; empty for most orders. */
  splits: z.array(SplitSettlement),
})
export type RequestedTerms = z.output<typeof RequestedTerms>

/** How the shopper opened the hosted page and returns from it, as of the latest initiate. */
export const Visit = z.object({
  launch: z.enum(['redirect', 'popup']),
  return_url: z.string().nullable(),
  /** Origin of the page that opened a pop-up. The return page notifies only this origin. */
  origin: z.string().nullable(),
  lang: z.string().nullable(),
})
export type Visit = z.output<typeof Visit>

export const Session = z.object({
  /** `null` if the gateway's response did not contain it. */
  checkout_reference: z.string().nullable(),
  redirect_url: z.string(),
  /** Milliseconds since the Unix epoch. */
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
  /** Stored before the request is sent. The record keeps the whole request, so that a resend has the same bytes. */
  z.object({
    phase: z.literal('intended'),
    ...kept,
    submission: Submission,
    ...submissionState,
  }),
  /** Acknowledged: the gateway has a session. The payer's details are no longer kept. */
  z.object({
    phase: z.literal('open'),
    ...kept,
    session: Session,
    reported: ReportedState.nullable(),
    /** When the checkout was settled, or last changed after settlement. */
    settled_at: z.number().nullable(),
    /** Whether `checkout.paid` or `checkout.paid_late` was emitted, which happens once. */
    paid_emitted: z.boolean().default(false),
    /** When the gateway last reported this acknowledged checkout as unknown; `null`: never. */
    unknown_at: z.number().nullable(),
    /** A reported status that cannot follow the stored status and was not applied: a person has to look. */
    contradiction: z.literal(Object.values(CHECKOUT_STATUS)).nullable(),
    /** `null` if the order has no splits. */
    confirmation: ServiceConfirmation.nullable(),
  }),
  /** The gateway rejected the checkout, or its response contradicted the request. */
  z.object({
    phase: z.literal('refused'),
    ...kept,
    why: z.string(),
    /** The gateway's error; `null` if the response contradicted the request. */
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
