/** What the merchant may see of a payout: the spec's shapes with the tracked state. */

import { z } from 'zod'
import { B2bResult } from './b2b.ts'
import { PayoutResult } from './payout.ts'
import { ACKNOWLEDGEMENT_CODE, PAYOUT_STATUS } from './status.ts'

const { accepted, rejected } = ACKNOWLEDGEMENT_CODE

/** Local and international payouts, and payouts to businesses. */
const VARIANTS = ['local', 'transfer', 'b2b'] as const

export const PAYOUT_OUTCOMES = [
  /** Not known yet whether the gateway has it. */
  'sending',
  'pending',
  'succeeded',
  'failed',
  'reversed',
  'refunded',
  'needs_attention',
] as const
export type PayoutOutcome = (typeof PAYOUT_OUTCOMES)[number]

/** The answer of `/api/payouts`, and the data of the merchant's events. */
export const TrackedPayout = z.object({
  payout_reference: z.string(),
  type: z.enum(VARIANTS),
  outcome: z.enum(PAYOUT_OUTCOMES).describe('What it came to. Branch on this.'),
  settled: z.boolean().describe('Whether this is the end, as far as anybody can know today.'),
  payment_status: z
    .literal(Object.values(PAYOUT_STATUS))
    .nullable()
    .describe("The gateway's status; null before it told one."),
  response_code: z
    .literal([accepted, rejected])
    .nullable()
    .describe('Of the acknowledgement; null while the gateway has not answered.'),
  response_description: z.string().nullable().describe("The gateway's words on a rejection."),
  error_code: z.string().nullable().describe('Why the gateway rejected it.'),
  amount: z.string().describe('What the recipient is to have, as decimal text.'),
  currency: z.string().describe('Of the amount.'),
  attention: z.string().nullable().describe('Why a person has to look; null when nobody has to.'),
  result: z
    .union([PayoutResult, B2bResult])
    .nullable()
    .describe("The specification's payout result, as the gateway last gave it."),
  environment: z.enum(['sandbox', 'production']),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
  version: z.int().describe('Grows with every change.'),
})
export type TrackedPayout = z.output<typeof TrackedPayout>
