/** How one payout stands. */

import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { TrackedPayout } from '../../api/payout.ts'
import { withApi } from '../api.ts'
import { showResult } from '../result.ts'
import { list } from '../table.ts'
import { whyOf } from './table.ts'

export async function status(shell: Shell, reference: string, options: ResultOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const asked = api.get(`/payouts/${encodeURIComponent(reference)}`, TrackedPayout)
    const { value, body } = await shell.waitFor('Asking the gateway', asked)
    showResult(shell, options, body, () =>
      list([
        ['payout_reference', value.payout_reference],
        ['type', value.type],
        ['outcome', value.settled ? value.outcome : `${value.outcome}, not settled`],
        ['payment_status', value.payment_status],
        ['response_code', value.response_code],
        ['amount', `${value.amount} ${value.currency}`],
        ['why', whyOf(value)],
        ['created_at', value.created_at],
        ['updated_at', value.updated_at],
      ]),
    )
  })
}
