/** Converts a stored payout to the responses of `/api/payouts` and the data of `payout.*` and `b2b.*` events. Pure. */

import type { TrackedPayout } from '../api/payout.ts'
import type { Payout } from './record.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { commonFieldsOf } from '../transactions/record.ts'
import { determineOutcome } from './outcome.ts'
import { requestedTerms, reportedTerms } from './variants.ts'

export function trackedOf(payout: Payout): TrackedPayout {
  const { record, reference, version } = payout
  const accepted = record.phase === 'accepted' ? record : null
  const rejected = record.phase === 'rejected' ? record : null
  const reported = accepted?.reported ?? null
  const { amount, currency } = requestedTerms(record.submission)
  return {
    payout_reference: reference,
    type: record.submission.variant,
    ...determineOutcome(record),
    payment_status: reported && reportedTerms(reported).status,
    response_code: accepted ? ACKNOWLEDGEMENT_CODE.accepted : rejected && ACKNOWLEDGEMENT_CODE.rejected,
    response_description: record.phase === 'intended' ? null : record.response_description,
    error_code: rejected?.error_code ?? null,
    amount,
    currency,
    attention: record.phase === 'intended' ? record.stuck : (accepted?.contradiction ?? null),
    result: reported?.result ?? null,
    ...commonFieldsOf(payout),
    version,
  }
}
