/** `history`: prints the history of a transaction. */

import type { Command } from 'commander'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { History } from '../routes/api/history.ts'
import { addQuery, showResource } from './command.ts'
import { printable, table } from './table.ts'

export function addHistory(program: Command, shell: Shell): void {
  addQuery(
    program,
    'history',
    'show the history of a payout, a charge, airtime or a checkout',
    'history WAGES-2026-11-0001',
  )
    .argument(
      '<reference>',
      'payout_reference, external_reference, order, checkout_id or merchant_transaction_id',
    )
    .action((reference: string, options: ResultOptions) =>
      showResource(shell, options, {
        path: `/history/${encodeURIComponent(reference)}`,
        schema: History,
        asText: ({ transactions }) => transactions.map(transactionText).join('\n\n'),
      }),
    )
}

function transactionText(transaction: (typeof History)['_output']['transactions'][number]): string {
  const { kind, reference, attempt, outcome, created_at, history } = transaction
  const title = `${kind} ${printable(reference)}, attempt ${attempt}: ${outcome}`
  const rows = [[created_at, 'Created.'], ...history.map(({ at, what }) => [at, what])]
  return `${title}\n${table(['time', 'entry'], rows)}`
}
