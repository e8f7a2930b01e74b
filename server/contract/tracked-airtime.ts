/** What the merchant may send and see of airtime: the spec's shapes with the tracked state. */

import { z } from 'zod'
import { AirtimeRecipient } from './airtime.ts'
import { AIRTIME_STATUS } from './status.ts'

/** [assumed] What one process can answer for at once. */
export const MOST_RECIPIENTS_AT_ONCE = 100_000

/** The body of `POST /api/airtime`: as many recipients as a merchant has, cut into requests of the gateway's size. */
export const AirtimeOrder = z.object({
  reference: z.string(),
  recipients: z.array(AirtimeRecipient).min(1).max(MOST_RECIPIENTS_AT_ONCE),
})

/** What became of one recipient. */
export const RECIPIENT_OUTCOMES = [
  /** Not known yet whether the gateway has it. */
  'sending',
  'pending',
  'succeeded',
  'failed',
  'reversed',
  'refunded',
  'needs_attention',
] as const
export type RecipientOutcome = (typeof RECIPIENT_OUTCOMES)[number]

/** What became of all of them together. */
export const AIRTIME_OUTCOMES = [
  'sending',
  'pending',
  'needs_attention',
  'succeeded',
  /** All have ended; some have airtime and some have not. */
  'partial',
  'failed',
] as const
export type AirtimeOutcome = (typeof AIRTIME_OUTCOMES)[number]

/** An item of the answer of `/api/airtime`, and the data of the merchant's events. */
export const TrackedRecipient = z.object({
  reference: z.string().describe('Yours.'),
  phone_number: z.string(),
  amount: z.string().nullable().describe('What was asked, as decimal text; null when nobody asked for it.'),
  outcome: z.enum(RECIPIENT_OUTCOMES).describe('What it came to. Branch on this.'),
  settled: z.boolean().describe('Whether this is the end, as far as anybody can know today.'),
  service_status: z
    .literal(Object.values(AIRTIME_STATUS))
    .nullable()
    .describe("The gateway's status; null before it told one."),
  message: z.string().nullable().describe("The gateway's words, of this recipient or on its rejection."),
  provider_reference: z.string().nullable().describe("The network's transaction; null while there is none."),
  correlation_id: z.string().nullable(),
  external_reference: z.string().describe('Of the request to the gateway that the recipient is in.'),
  attention: z.string().nullable().describe('Why a person has to look; null when nobody has to.'),
})
export type TrackedRecipient = z.output<typeof TrackedRecipient>

const Share = z.object({
  count: z.int(),
  amount: z.string().describe('The sum of what was asked, as decimal text.'),
})
export type Share = z.output<typeof Share>

/** Adds up: all of them together are the total. */
export const AirtimeSummary = z.object({
  total: Share,
  sending: Share,
  pending: Share,
  succeeded: Share,
  failed: Share,
  reversed: Share,
  refunded: Share,
  needs_attention: Share,
} satisfies Record<RecipientOutcome | 'total', z.ZodType<Share>>)
export type AirtimeSummary = z.output<typeof AirtimeSummary>

const Tracked = z.object({
  reference: z.string().describe('Yours.'),
  outcome: z.enum(AIRTIME_OUTCOMES).describe('What all of it came to.'),
  settled: z.boolean().describe('Whether every recipient is.'),
  summary: AirtimeSummary,
  environment: z.enum(['sandbox', 'production']),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

export const TrackedAirtime = Tracked.extend({
  requests: z.int().describe('How many requests to the gateway it was cut into.'),
  recipients: z.array(TrackedRecipient).describe('In the order in which they were given.'),
})
export type TrackedAirtime = z.output<typeof TrackedAirtime>

/** An item of the list: one request to the gateway. */
export const ListedAirtime = Tracked.extend({
  external_reference: z.string().describe('What the gateway knows this request by.'),
  version: z.int().describe('Grows with every change.'),
})
export type ListedAirtime = z.output<typeof ListedAirtime>
