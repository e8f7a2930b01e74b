/** How one checkout stands, with every attempt to pay. */

import type { CheckoutView } from '../../api/view.ts'
import type { ResultOptions } from '../result.ts'
import type { Shell } from '../shell.ts'
import { ViewSchema } from '../../routes/view-schema.ts'
import { withApi } from '../api.ts'
import { showResult } from '../result.ts'
import { list, table } from '../table.ts'

export async function show(shell: Shell, key: string, options: ResultOptions): Promise<void> {
  await withApi(shell, async (api) => {
    const asked = api.get(`/checkouts/${encodeURIComponent(key)}`, ViewSchema)
    const { value, body } = await shell.waitFor('Asking the gateway', asked)
    showResult(shell, options, body, () => describe(value))
  })
}

function describe(view: CheckoutView): string {
  const facts = list([
    ['order', view.order],
    ['checkout_id', view.checkout_id],
    ['merchant_transaction_id', view.merchant_transaction_id],
    ['attempt', view.attempt],
    ['outcome', view.settled ? view.outcome : `${view.outcome}, not settled`],
    ['discrepancy', view.discrepancy],
    ['status', view.status],
    ['amount', `${view.amount} ${view.currency}`],
    ['amount_paid', view.amount_paid],
    ['expires_at', view.expires_at],
    ['updated_at', view.updated_at],
  ])
  if (view.payments.length === 0) return facts
  const payments = view.payments.map(({ status, outcome, amount, currency, method, paid_at }) => [
    status,
    outcome,
    `${amount} ${currency}`,
    method,
    paid_at,
  ])
  return `${facts}\n\n${table(['payment', 'outcome', 'amount', 'method', 'paid_at'], payments)}`
}
