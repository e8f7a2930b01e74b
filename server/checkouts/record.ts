/** A checkout as it is stored: what was asked, where the shopper comes back to, and how far it got. */

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

/** What the merchant asked for. Compared when the same order comes again, and when the gateway says "paid". */
export const RequestedTerms = z.object({
  order: z.string(),
  /** Decimal text in whole units of the currency. */
  amount: z.string(),
  currency: z.string(),
  service_code: z.string(),
  account_number: z.string(),
  /** Minutes that the session is to live. */
  expires_in: z.number(),
  /** Shares for partner accounts, the dynamic ones included; most orders have none. */
  splits: z.array(SplitSettlement),
})
export type RequestedTerms = z.output<typeof RequestedTerms>

/** How the shopper left and wants to come back: always that of the latest initiate. */
export const Visit = z.object({
  launch: z.enum(['redirect', 'popup']),
  return_url: z.string().nullable(),
  /** Origin of the page that opened a pop-up; its return page tells nobody else. */
  origin: z.string().nullable(),
  lang: z.string().nullable(),
})
export type Visit = z.output<typeof Visit>

export const Session = z.object({
  /** `null` where the answer did not tell it. */
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

export const CheckoutRecord = z.discriminatedUnion('phase', [
  /** Stored before the gateway is asked. The request is kept whole, so that it can be sent again byte for byte. */
  z.object({
    phase: z.literal('intended'),
    requested: RequestedTerms,
    visit: Visit,
    submission: Submission,
    ...submissionState,
  }),
  /** Acknowledged: the gateway has a session. The payer's details are no longer kept. */
  z.object({
    phase: z.literal('open'),
    requested: RequestedTerms,
    visit: Visit,
    session: Session,
    reported: ReportedState.nullable(),
    /** When it first was settled, and when something changed after that. */
    settled_at: z.number().nullable(),
    /** Whether the merchant was told that it is paid: whoever fulfils an order is told so once. */
    paid_emitted: z.boolean().default(false),
    /** When the gateway last said that it does not know this checkout, which it once acknowledged. */
    unknown_at: z.number().nullable(),
    /** A status that cannot follow the one seen, and is not followed: a person has to look. */
    contradiction: z.literal(Object.values(CHECKOUT_STATUS)).nullable(),
    /** Whether the merchant has served it; `null` where nobody waits to hear that. */
    confirmation: ServiceConfirmation.nullable(),
  }),
  /** The gateway refused it, or answered with something else than was asked. */
  z.object({
    phase: z.literal('refused'),
    requested: RequestedTerms,
    visit: Visit,
    why: z.string(),
    /** The gateway's own words; `null` when it did not refuse but contradicted. */
    refusal: CheckoutError.nullable(),
  }),
  /** Never arrived at the gateway, and the shopper has left. */
  z.object({ phase: z.literal('abandoned'), requested: RequestedTerms, visit: Visit }),
])
export type CheckoutRecord = z.output<typeof CheckoutRecord>
export type IntendedCheckout = Extract<CheckoutRecord, { phase: 'intended' }>
export type OpenCheckout = Extract<CheckoutRecord, { phase: 'open' }>

export type Checkout<Record extends CheckoutRecord = CheckoutRecord> = Stored<Record>

export const readCheckout = createReader(CheckoutRecord)

export function isOpen(checkout: Checkout): checkout is Checkout<OpenCheckout> {
  return checkout.record.phase === 'open'
}
