/** `checkouts list`, `checkouts show`. */

import type { Command } from 'commander'
import type { CheckoutView } from '../api/view.ts'
import type { Shell } from './shell.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { addQuery, addTransactionList, showResource } from './command.ts'
import { fieldList, outcomeText, table } from './table.ts'

export function addCheckouts(program: Command, shell: Shell): void {
  const checkouts = program.command('checkouts').description('track checkouts')
  addTransactionList(checkouts, shell, 'checkouts list --updated-since 2026-11-21', {
    path: '/checkouts',
    item: CheckoutViewSchema,
    asTable: checkoutTable,
  })
  addQuery(checkouts, 'show', 'retrieve a checkout with its payments', 'checkouts show ORDER-1001')
    .argument('<key>', 'a checkout_id, or an order for its latest checkout')
    .action((key: string, options) =>
      showResource(shell, options, {
        path: `/checkouts/${encodeURIComponent(key)}`,
        schema: CheckoutViewSchema,
        asText: checkoutText,
      }),
    )
}

function checkoutTable(views: readonly CheckoutView[]): string {
  return table(
    ['order', 'attempt', 'outcome', 'status', 'amount', 'amount_paid', 'updated_at', 'checkout_id'],
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

function checkoutText(view: CheckoutView): string {
  const fields = fieldList([
    ['order', view.order],
    ['checkout_id', view.checkout_id],
    ['merchant_transaction_id', view.merchant_transaction_id],
    ['attempt', view.attempt],
    ['outcome', outcomeText(view)],
    ['discrepancy', view.discrepancy],
    ['status', view.status],
    ['amount', `${view.amount} ${view.currency}`],
    ['amount_paid', view.amount_paid],
    ['expires_at', view.expires_at],
    ['updated_at', view.updated_at],
  ])
  if (view.payments.length === 0) return fields
  const payments = view.payments.map(({ status, outcome, amount, currency, method, paid_at }) => [
    status,
    outcome,
    `${amount} ${currency}`,
    method,
    paid_at,
  ])
  return `${fields}\n\n${table(['payment', 'outcome', 'amount', 'method', 'paid_at'], payments)}`
}
