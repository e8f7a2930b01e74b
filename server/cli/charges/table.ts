/** Charges as rows. Pure. */

import type { TrackedCharge } from '../../api/charge.ts'
import { table } from '../table.ts'

export function chargeTable(charges: readonly TrackedCharge[]): string {
  return table(
    ['external_reference', 'outcome', 'status', 'amount', 'fulfilment', 'updated_at', ''],
    charges.map((charge) => [
      charge.external_reference,
      charge.outcome,
      charge.status ?? charge.refusal?.status_code ?? null,
      `${charge.amount} ${charge.currency}`,
      fulfilmentOf(charge),
      charge.updated_at,
      whyOf(charge) ?? charge.redirect_url ?? '',
    ]),
  )
}

/** "SUCCESSFUL, confirmed" */
export function fulfilmentOf({ fulfilment: { stage, status } }: Pick<TrackedCharge, 'fulfilment'>): string {
  return status === null ? stage : `${status}, ${stage}`
}

/** Why it is not as it should be, as far as anybody said. */
export function whyOf({ attention, refusal }: TrackedCharge): string | null {
  const said = [refusal?.status_description, refusal?.message].filter(Boolean).join(': ')
  return attention ?? (said || null)
}
