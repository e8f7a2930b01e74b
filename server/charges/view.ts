/** What the merchant sees of a charge. */

import { splitSettlementsIn } from '../contract/charge.ts'
import { canonical } from '../contract/decimal.ts'
import { failureReasonOf } from '../contract/failure-reason.ts'
import { trackedFulfilmentOf } from '../payins/fulfilment.ts'
import { moneyOf } from '../payins/reported-money.ts'
import { commonFieldsOf, iso } from '../transactions/common-fields.ts'
import { UNDECIDED } from '../transactions/kind.ts'
import { determineOutcome, totalAskedOf } from './record.ts'

import type { TrackedCharge } from '../api/charge.ts'
import type { Charge } from './record.ts'

/** Returns a charge as `/api/charges` and the events `charge.*` contain it. */
export function chargeOf(charge: Charge): TrackedCharge {
  const { record, reference, version } = charge
  const { request } = record
  const splits = splitSettlementsIn(request.extra_data)
  const { answer, reported, found_id, confirmation } = record.phase === 'open' ? record : UNANSWERED
  const standing = determineOutcome(charge)
  // Nothing can be paid any more on the pages of a settled charge.
  const pages = standing.settled ? null : answer
  const refusal = record.phase === 'refused' ? record.refusal : null
  const reason = refusal ? failureReasonOf(refusal) : (reported?.payments.at(-1)?.reason ?? 'unknown')
  return {
    external_reference: reference,
    charge_request_id: answer?.charge_request_id ?? found_id,
    ...standing,
    status: reported?.status ?? null,
    reason: standing.outcome === 'failed' ? reason : null,
    amount: canonical(totalAskedOf(record)),
    amount_paid: canonical(moneyOf(reported).received),
    currency: request.currency_code,
    split_settlements: splits.map((split) => ({ ...split, amount: String(split.amount) })),
    fulfilment: trackedFulfilmentOf(confirmation ?? UNDECIDED, reported),
    refusal,
    redirect_url: pages?.redirect_url ?? null,
    auth_url: pages?.auth_url ?? null,
    html: pages?.html ?? null,
    expires_at: answer?.expires_at ? iso(Date.parse(answer.expires_at)) : null,
    ...commonFieldsOf(charge),
    version,
  }
}

const UNANSWERED = { answer: null, reported: null, found_id: null, confirmation: null }
