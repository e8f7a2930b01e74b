/** `checkouts list`, `checkouts show`. */

import type { Command } from 'commander'
import type { CheckoutView, PaymentView } from '../api/view.ts'
import type { Kind } from './command.ts'
import type { Shell } from './shell.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { addRetrieval, addTransactionList } from './command.ts'
import { fieldList, itemTable, outcomeText } from './table.ts'

const CHECKOUTS: Kind<CheckoutView> = {
  path: '/checkouts',
  schema: CheckoutViewSchema,
  asTable: (views) => itemTable(COLUMNS, views.map(withCurrency)),
  asText: checkoutText,
}

const COLUMNS = [
  'order',
  'attempt',
  'outcome',
  'status',
  'amount',
  'amount_paid',
  'updated_at',
  'checkout_id',
] as const
const FIELDS = [
  'order',
  'checkout_id',
  'merchant_transaction_id',
  'attempt',
  'outcome',
  'discrepancy',
  'status',
  'amount',
  'amount_paid',
  'expires_at',
  'updated_at',
] as const
const PAYMENT_COLUMNS = ['payment', 'outcome', 'amount', 'method', 'paid_at'] as const

export function addCheckouts(program: Command, shell: Shell): void {
  const checkouts = program.command('checkouts').description('track checkouts')
  addTransactionList(checkouts, shell, 'checkouts list --updated-since 2026-11-21', CHECKOUTS)
  addRetrieval(checkouts, shell, CHECKOUTS, {
    name: 'show',
    description: 'retrieve a checkout with its payments',
    example: 'checkouts show ORDER-1001',
    argument: ['<key>', 'a checkout_id, or an order for its latest checkout'],
  })
}

function checkoutText(view: CheckoutView): string {
  const fields = fieldList(FIELDS, { ...withCurrency(view), outcome: outcomeText(view) })
  if (view.payments.length === 0) return fields
  const payments = view.payments.map((payment) => ({ ...withCurrency(payment), payment: payment.status }))
  return `${fields}\n\n${itemTable(PAYMENT_COLUMNS, payments)}`
}

function withCurrency<Item extends CheckoutView | PaymentView>(item: Item): Item {
  return { ...item, amount: `${item.amount} ${item.currency}` }
}
