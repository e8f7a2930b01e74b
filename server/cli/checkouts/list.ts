/** Checkouts in the order of their last change. */

import type { View } from '../../contract/view.ts'
import type { ListOptions } from '../list-options.ts'
import type { Shell } from '../shell.ts'
import { pageOf } from '../../routes/listing.ts'
import { ViewSchema } from '../../routes/view-schema.ts'
import { withApi } from '../api.ts'
import { listQueryOf } from '../list-options.ts'
import { showPage } from '../result.ts'
import { table } from '../table.ts'

export async function list(shell: Shell, options: ListOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const page = await api.get('/checkouts', pageOf(ViewSchema), listQueryOf(options))
    showPage(shell, options, page, checkoutTable)
  })
}

function checkoutTable(views: readonly View[]): string {
  return table(
    ['order', 'attempt', 'outcome', 'status', 'amount', 'paid', 'updated_at', 'checkout_id'],
    views.map((view) => [
      view.order,
      view.attempt,
      view.outcome,
      view.status,
      `${view.amount} ${view.currency}`,
      view.amount_paid,
      view.updated_at,
      view.checkout_id,
    ]),
  )
}
