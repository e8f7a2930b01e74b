/** Payouts as rows. Pure. */

import type { TrackedPayout } from '../../api/payout.ts'
import { table } from '../table.ts'

export function payoutTable(payouts: readonly TrackedPayout[]): string {
  return table(
    ['payout_reference', 'type', 'outcome', 'status', 'amount', 'updated_at', ''],
    payouts.map((payout) => [
      payout.payout_reference,
      payout.type,
      payout.outcome,
      payout.payment_status ?? payout.response_code,
      `${payout.amount} ${payout.currency}`,
      payout.updated_at,
      whyOf(payout) ?? '',
    ]),
  )
}

/** Why it is not as it should be, as far as anybody said. */
export function whyOf({ attention, error_code, response_description }: TrackedPayout): string | null {
  return attention ?? ([error_code, response_description].filter(Boolean).join(': ') || null)
}
