/** What the merchant may see of a payout: the spec's shapes with the tracked state. */

import { z } from 'zod'
import { B2bResult } from '../contract/b2b.ts'
import { PayoutResult } from '../contract/payout.ts'
import { ACKNOWLEDGEMENT_CODE, PAYOUT_STATUS } from '../contract/status.ts'
import { attention, commonFields, standing, version } from './tracked.ts'

const { accepted, rejected } = ACKNOWLEDGEMENT_CODE

/** Local and international payouts, and payouts to businesses. */
const VARIANTS = ['local', 'transfer', 'b2b'] as const

/** The answer of `/api/payouts`, and the data of the merchant's events. */
export const TrackedPayout = z.object({
  payout_reference: z.string(),
  type: z.enum(VARIANTS),
  ...standing,
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
  attention,
  result: z
    .union([PayoutResult, B2bResult])
    .nullable()
    .describe("The specification's payout result, as the gateway last gave it."),
  ...commonFields,
  version,
})
export type TrackedPayout = z.output<typeof TrackedPayout>
