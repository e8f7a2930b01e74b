/** What the merchant may see of a payout. Pure. */

import type { TrackedPayout } from '../contract/tracked-payout.ts'
import type { Payout, PayoutRecord } from './record.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { provenanceOf } from '../transactions/provenance.ts'
import { judge } from './outcome.ts'
import { askedTerms, seenTerms } from './variants.ts'

const { accepted, rejected } = ACKNOWLEDGEMENT_CODE

export function trackedOf(payout: Payout): TrackedPayout {
  const { record, reference, version } = payout
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
    ...provenanceOf(payout),
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
