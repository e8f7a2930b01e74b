/** The API representation of a payout. Pure. */

import type { TrackedPayout } from '../api/payout.ts'
import type { Payout, PayoutRecord } from './record.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { commonFieldsOf } from '../transactions/record.ts'
import { determineOutcome } from './outcome.ts'
import { requestedTerms, reportedTerms } from './variants.ts'

const { accepted, rejected } = ACKNOWLEDGEMENT_CODE

export function trackedOf(payout: Payout): TrackedPayout {
  const { record, reference, version } = payout
  const reported = record.phase === 'accepted' ? record.reported : null
  const rejection = record.phase === 'rejected' ? record : null
  const { amount, currency } = requestedTerms(record.submission)
  return {
    payout_reference: reference,
    type: record.submission.variant,
    ...determineOutcome(record),
    payment_status: reported && reportedTerms(reported).status,
    response_code: rejection ? rejected : record.phase === 'accepted' ? accepted : null,
    response_description: record.phase === 'intended' ? null : record.response_description,
    error_code: rejection?.error_code ?? null,
    amount,
    currency,
    attention: attentionOf(record),
    result: reported?.result ?? null,
    ...commonFieldsOf(payout),
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
