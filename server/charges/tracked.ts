/** Converts a stored charge to the responses of `/api/charges` and the data of `charge.*` events. Pure. */

import type { TrackedCharge } from '../api/charge.ts'
import type { Charge } from './record.ts'
import { splitSettlementsIn } from '../contract/charge.ts'
import { totalOf } from '../money/charge-total.ts'
import { trackedFulfilmentOf } from '../payins/service-confirmation.ts'
import { commonFieldsOf, iso } from '../transactions/record.ts'
import { determineOutcome, attentionOf } from './outcome.ts'
import { gatewayIdOf } from './record.ts'

export function trackedOf(charge: Charge): TrackedCharge {
  const { record, reference, version } = charge
  const { request } = record
  const splits = splitSettlementsIn(request.extra_data)
  const posted = record.phase === 'posted' ? record : null
  const { outcome, settled, discrepancy } = determineOutcome(charge)
  return {
    external_reference: reference,
    charge_request_id: gatewayIdOf(record),
    outcome,
    settled,
    status: posted?.reported?.status ?? null,
    discrepancy,
    amount: posted?.answer?.total_amount ?? totalOf(request),
    amount_paid: posted?.reported?.amount ?? '0',
    currency: request.currency_code,
    split_settlements: splits.map(({ account, amount, reason }) => ({
      account,
      amount: String(amount),
      reason,
    })),
    fulfilment: trackedFulfilmentOf(posted?.confirmation ?? { stage: 'open' }),
    refusal: record.phase === 'refused' ? record.refusal : null,
    attention: outcome === 'needs_attention' ? attentionOf(charge) : null,
    redirect_url: settled ? null : (posted?.answer?.redirect_url ?? null),
    auth_url: settled ? null : (posted?.answer?.auth_url ?? null),
    html: settled ? null : (posted?.answer?.html ?? null),
    expires_at: posted?.answer?.expires_at ? iso(posted.answer.expires_at) : null,
    ...commonFieldsOf(charge),
    version,
  }
}
