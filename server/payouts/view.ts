/** What the merchant sees of a payout. */

import { canonical } from '../contract/decimal.ts'
import { ACKNOWLEDGEMENT_CODE } from '../contract/status.ts'
import { commonFieldsOf } from '../transactions/common-fields.ts'
import { determineOutcome, requestedTerms } from './record.ts'

import type { TrackedPayout } from '../api/payout.ts'
import type { Payout, PayoutRecord } from './record.ts'

/** Returns a payout as `/api/payouts` and the events `payout.*` and `b2b.*` contain it. */
export function payoutOf(payout: Payout): TrackedPayout {
  const { record, reference, version } = payout
  const reported = record.phase === 'accepted' ? record.reported : null
  const { amount, currency } = requestedTerms(record.call)
  return {
    payout_reference: reference,
    type: record.call.variant,
    ...determineOutcome(record),
    payment_status: reported?.payment_status ?? null,
    ...acknowledgementOf(record),
    amount: canonical(amount),
    currency,
    result: reported?.result ?? null,
    ...commonFieldsOf(payout),
    version,
  }
}

/** Returns what the gateway answered to the request; `null` in each field if it has not answered. */
function acknowledgementOf(record: PayoutRecord) {
  if (record.phase === 'accepted') {
    const { response_description } = record
    return { response_code: ACKNOWLEDGEMENT_CODE.accepted, response_description, error_code: null }
  }

  const rejection = record.phase === 'rejected' ? record : record.refused?.answer
  if (!rejection) {
    return { response_code: null, response_description: null, error_code: null }
  }

  const { response_description, error_code } = rejection
  return { response_code: ACKNOWLEDGEMENT_CODE.rejected, response_description, error_code }
}
