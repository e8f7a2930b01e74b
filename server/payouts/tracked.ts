/** What the merchant may see of a payout: the spec's shapes with the tracked state. Pure. */

import { z } from 'zod'
import { B2bResult } from '../contract/b2b.ts'
import { PayoutResult } from '../contract/payout.ts'
import { ACKNOWLEDGEMENT_CODE, PAYOUT_STATUS } from '../contract/status.ts'
import type { Payout, PayoutRecord } from './record.ts'
import { judge, PAYOUT_OUTCOMES } from './outcome.ts'
import { askedTerms, seenTerms, VARIANTS } from './variants.ts'

const { accepted, rejected } = ACKNOWLEDGEMENT_CODE

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
export type TrackedPayout = z.infer<typeof TrackedPayout>

export function trackedOf(payout: Payout): TrackedPayout {
  const { record, reference, home, version } = payout
  const seen = record.phase === 'accepted' ? record.seen : null
  const rejection = record.phase === 'rejected' ? record : null
  const { amount, currency } = askedTerms(record.submission)
  return {
    payout_reference: reference,
    type: record.submission.variant,
    ...judge(record),
    payment_status: seen && seenTerms(seen).status,
    response_code: rejection ? rejected : record.phase === 'accepted' ? accepted : null,
    response_description: rejection?.response_description ?? null,
    error_code: rejection?.error_code ?? null,
    amount,
    currency,
    attention: attentionOf(record),
    result: seen?.result ?? null,
    environment: home.environment,
    created_at: new Date(payout.created_at).toISOString(),
    updated_at: new Date(payout.updated_at).toISOString(),
    version,
  }
}

function attentionOf(record: PayoutRecord): string | null {
  switch (record.phase) {
    case 'intended':
      return record.stuck
    case 'accepted':
      return record.contradiction
    case 'rejected':
      return null
  }
}
