/** `history`: prints the history of a transaction. */

import type { Command } from 'commander'
import type { Shell } from './shell.ts'
import { History } from '../routes/api/history.ts'
import { addRetrieval } from './command.ts'
import { printable, table } from './table.ts'

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
  const { kind, reference, attempt, outcome, created_at, history } = transaction
  const title = `${kind} ${printable(reference)}, attempt ${attempt}: ${outcome}`
  const rows = [[created_at, 'Created.'], ...history.map(({ at, what }) => [at, what])]
  return `${title}\n${table(['time', 'entry'], rows)}`
}
