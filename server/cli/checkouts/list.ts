/** Checkouts in the order of their last change. */

import type { CheckoutView } from '../../api/view.ts'
import type { ListOptions } from '../list.ts'
import type { Shell } from '../shell.ts'
import { ViewSchema } from '../../routes/view-schema.ts'
import { showList } from '../list.ts'
import { table } from '../table.ts'

export async function list(shell: Shell, options: ListOptions): Promise<void> {
  await showList(shell, '/checkouts', ViewSchema, options, checkoutTable)
}

function checkoutTable(views: readonly CheckoutView[]): string {
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
