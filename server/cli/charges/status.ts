/** How one charge stands. */

import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { TrackedCharge } from '../../api/charge.ts'
import { withApi } from '../api.ts'
import { showResult } from '../result.ts'
import { list } from '../table.ts'
import { fulfilmentOf, whyOf } from './table.ts'

export async function status(shell: Shell, reference: string, options: ResultOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const asked = api.get(`/charges/${encodeURIComponent(reference)}`, TrackedCharge)
    const { value, body } = await shell.waitFor('Asking the gateway', asked)
    showResult(shell, options, body, () =>
      list([
        ['external_reference', value.external_reference],
        ['outcome', value.settled ? value.outcome : `${value.outcome}, not settled`],
        ['status', value.status],
        ['amount', `${value.amount} ${value.currency}`],
        ['amount_paid', `${value.amount_paid} ${value.currency}`],
        ...value.split_settlements.map(
          ({ account, amount }) => ['split', `${amount} ${value.currency} to ${account}`] as const,
        ),
        ['fulfilment', fulfilmentOf(value)],
        ['why', whyOf(value)],
        ['redirect_url', value.redirect_url],
        ['created_at', value.created_at],
        ['updated_at', value.updated_at],
      ]),
    )
  })
}
