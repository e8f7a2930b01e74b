/** What the merchant may see of a charge. Pure. */

import type { TrackedCharge } from '../contract/tracked-charge.ts'
import type { Charge, ChargeRecord } from './record.ts'
import { totalOf } from '../gateway/charge-total.ts'
import { trackedFulfilmentOf } from '../payments/tracked-fulfilment.ts'
import { provenanceOf } from '../transactions/provenance.ts'
import { judge, whyNeeded } from './outcome.ts'

export function trackedOf(charge: Charge): TrackedCharge {
  const { record, reference, version } = charge
  const { request } = record
  const posted = record.phase === 'posted' ? record : null
  const { outcome, settled, discrepancy } = judge(charge)
  return {
    external_reference: reference,
    charge_request_id: posted?.answer?.charge_request_id ?? null,
    outcome,
    settled,
    status: posted?.seen?.status ?? null,
    discrepancy,
    amount: posted?.answer?.total_amount ?? totalOf(request),
    amount_paid: posted?.seen?.amount ?? '0',
    currency: request.currency_code,
    split_settlements: splitsOf(record),
    fulfilment: trackedFulfilmentOf(posted?.fulfilment ?? { stage: 'open' }),
    refusal: record.phase === 'refused' ? record.refusal : null,
    attention: outcome === 'needs_attention' ? whyNeeded(charge) : null,
    redirect_url: settled ? null : (posted?.answer?.redirect_url ?? null),
    expires_at: iso(posted?.answer?.expires_at ?? null),
    ...provenanceOf(charge),
    version,
  }
}

function splitsOf({ request }: ChargeRecord): TrackedCharge['split_settlements'] {
  const splits = request.extra_data?.split_settlements ?? []
  return splits.map(({ account, amount, reason }) => ({ account, amount: String(amount), reason }))
}

function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}
