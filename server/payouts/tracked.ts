/** What the merchant may see of a payout: the spec's shapes with the tracked state. Pure. */

import type { Payout, Submission } from './record.ts'
import type { PayoutOutcome } from './outcome.ts'
import { judge } from './outcome.ts'
import { askedTerms, seenTerms } from './variants.ts'

/** The answer of `/api/payouts`, and the data of the merchant's events. */
export interface TrackedPayout {
  payout_reference: string
  type: Submission['variant']
  outcome: PayoutOutcome
  settled: boolean
  /** The gateway's status, `null` before it told one. */
  payment_status: number | null
  /** 720 or 721 of the acknowledgement; `null` while the gateway has not answered. */
  response_code: number | null
  response_description: string | null
  error_code: string | null
  /** What the recipient is to have: decimal text. */
  amount: string
  currency: string
  /** Why a person has to look; `null` when nobody has to. */
  attention: string | null
  /** The spec's payout result, as the gateway last gave it. */
  result: object | null
  environment: 'sandbox' | 'production'
  /** ISO 8601, UTC. */
  created_at: string
  updated_at: string
  /** Grows with every change. */
  version: number
}

export function trackedOf(payout: Payout): TrackedPayout {
  const { record, reference, home, version } = payout
  const seen = record.phase === 'accepted' ? record.seen : null
  const rejection = record.phase === 'rejected' ? record : null
  return {
    payout_reference: reference,
    type: record.submission.variant,
    ...judge(record),
    payment_status: seen && seenTerms(seen).status,
    response_code: rejection?.response_code ?? (record.phase === 'accepted' ? 720 : null),
    response_description: rejection?.response_description ?? null,
    error_code: rejection?.error_code ?? null,
    ...askedTerms(record.submission),
    attention: record.phase === 'accepted' ? record.contradiction : null,
    result: seen?.result ?? null,
    environment: home.environment,
    created_at: new Date(payout.created_at).toISOString(),
    updated_at: new Date(payout.updated_at).toISOString(),
    version,
  }
}
