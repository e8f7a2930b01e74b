/** The commands `checkouts list`, `checkouts show` and `history`. */

import type { Command } from 'commander'
import type { CheckoutView, PaymentView } from '../api/view.ts'
import type { Kind } from './command.ts'
import type { Shell } from './shell.ts'
import { CheckoutViewSchema } from '../api/view-schema.ts'
import { History } from '../routes/api/history.ts'
import { addRetrieval, addTransactionList } from './command.ts'
import { printable } from '../printable.ts'
import { fieldList, itemTable, outcomeText, table } from './table.ts'

const CHECKOUTS: Kind<CheckoutView> = {
  path: '/checkouts',
  schema: CheckoutViewSchema,
  asTable: (views) => itemTable(CHECKOUT_COLUMNS, views.map(withCurrency)),
  asText: checkoutText,
}

const CHECKOUT_COLUMNS = [
  'order',
  'attempt',
  'outcome',
  'status',
  'amount',
  'amount_paid',
  'updated_at',
  'checkout_id',
] as const
const CHECKOUT_FIELDS = [
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
const EVENT_COLUMNS = [
  'timestamp',
  'type',
  'delivery',
  'failures',
  'last_status',
  'next_try_at',
  'id',
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
  const fields = fieldList(CHECKOUT_FIELDS, { ...withCurrency(view), outcome: outcomeText(view) })
  if (view.payments.length === 0) return fields
  const payments = view.payments.map((payment) => ({ ...withCurrency(payment), payment: payment.status }))
  return `${fields}\n\n${itemTable(PAYMENT_COLUMNS, payments)}`
}

function withCurrency<Item extends CheckoutView | PaymentView>(item: Item): Item {
  return { ...item, amount: `${item.amount} ${item.currency}` }
}

export function addHistory(program: Command, shell: Shell): void {
  const resource = {
    path: '/history',
    schema: History,
    asText: ({ transactions }: History) => transactions.map(transactionText).join('\n\n'),
  }
  addRetrieval(program, shell, resource, {
    name: 'history',
    description: 'show the history of a payout, a charge, airtime or a checkout',
    example: 'history WAGES-2026-11-0001',
    argument: [
      '<reference>',
      'payout_reference, external_reference, order, checkout_id or merchant_transaction_id',
    ],
  })
}

function transactionText(transaction: History['transactions'][number]): string {
  const { kind, reference, attempt, outcome, created_at, history, trace_id, events } = transaction
  const title = `${kind} ${printable(reference)}, attempt ${attempt}: ${outcome}`
  const rows = [[created_at, 'Created.'], ...history.map(({ at, what }) => [at, what])]
  const parts = [`${title}\ntrace_id ${trace_id ?? '-'}`, table(['time', 'entry'], rows)]
  return [...parts, ...(events.length > 0 ? [itemTable(EVENT_COLUMNS, events)] : [])].join('\n')
}
