/** What the merchant may send and see of airtime: the spec's shapes with the tracked state. */

import { z } from 'zod'
import { AirtimeRecipient } from '../contract/airtime.ts'
import { AIRTIME_STATUS } from '../contract/status.ts'
import { attention, commonFields, standing, version } from './tracked.ts'

import type { TrackedOutcome } from './tracked.ts'

/** [assumed] What one process can answer for at once. */
export const MOST_RECIPIENTS_AT_ONCE = 100_000

/** The body of `POST /api/airtime`: as many recipients as a merchant has, cut into requests of the gateway's size. */
export const AirtimeOrder = z.object({
  reference: z.string(),
  recipients: z.array(AirtimeRecipient).min(1).max(MOST_RECIPIENTS_AT_ONCE),
})

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
  ...standing,
  service_status: z
    .literal(Object.values(AIRTIME_STATUS))
    .nullable()
    .describe("The gateway's status; null before it told one."),
  message: z.string().nullable().describe("The gateway's words, of this recipient or on its rejection."),
  provider_reference: z.string().nullable().describe("The network's transaction; null while there is none."),
  correlation_id: z.string().nullable(),
  external_reference: z.string().describe('Of the request to the gateway that the recipient is in.'),
  attention,
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
} satisfies Record<TrackedOutcome | 'total', z.ZodType<Share>>)
export type AirtimeSummary = z.output<typeof AirtimeSummary>

const Tracked = z.object({
  reference: z.string().describe('Yours.'),
  outcome: z.enum(AIRTIME_OUTCOMES).describe('What all of it came to.'),
  settled: z.boolean().describe('Whether every recipient is.'),
  summary: AirtimeSummary,
  ...commonFields,
})

export const TrackedAirtime = Tracked.extend({
  requests: z.int().describe('How many requests to the gateway it was cut into.'),
  recipients: z.array(TrackedRecipient).describe('In the order in which they were given.'),
})
export type TrackedAirtime = z.output<typeof TrackedAirtime>

/** An item of the list: one request to the gateway. */
export const ListedAirtime = Tracked.extend({
  external_reference: z.string().describe('What the gateway knows this request by.'),
  version,
})
export type ListedAirtime = z.output<typeof ListedAirtime>
