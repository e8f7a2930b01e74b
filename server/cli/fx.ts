/** `fx`: exchange rates, or a quote. */

import type { Command } from 'commander'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { Rates } from '../contract/rates.ts'
import { Quote } from '../money/quote.ts'
import { addQuery, showResource } from './command.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { fieldList, table } from './table.ts'

interface FxOptions extends ResultOptions {
  selling?: boolean
}

export function addFx(program: Command, shell: Shell): void {
  addQuery(program, 'fx', 'retrieve exchange rates, or a quote', 'fx KES', 'fx KES UGX 1500.00')
    .argument('<from>', 'currency code, such as KES')
    .argument('[to]', 'currency code, for a quote')
    .argument('[amount]', 'decimal amount in <from>')
    .option('--selling', 'quote an amount that the gateway pays out, instead of one that it collects')
    .action((from: string, to: string | undefined, amount: string | undefined, options: FxOptions) => {
      if (to === undefined) return showRates(shell, from, options)
      if (amount !== undefined) return showQuote(shell, { from, to, amount }, options)
      throw new CommandFailure(EXIT.usage, 'A quote needs an amount: fx KES UGX 1500.00.')
    })
}

function showRates(shell: Shell, from: string, options: FxOptions): Promise<void> {
  return showResource(shell, options, {
    path: '/fx',
    query: { base_currency: from },
    schema: Rates,
    asText: ({ base_currency, rates }) =>
      table(
        [`1 ${base_currency}`, 'buying', 'selling'],
        Object.entries(rates).map(([code, { buying, selling }]) => [code, buying, selling]),
      ),
  })
}

function showQuote(
  shell: Shell,
  terms: { from: string; to: string; amount: string },
  options: FxOptions,
): Promise<void> {
  const direction = options.selling ? 'selling' : 'buying'
  return showResource(shell, options, {
    path: '/fx/quote',
    query: { ...terms, direction },
    schema: Quote,
    asText: (quote) =>
      fieldList([
        ['sender_amount', `${quote.sender_amount} ${quote.source_currency}`],
        ['recipient_amount', `${quote.recipient_amount} ${quote.destination_currency}`],
        ['rate', `${quote.rate} (${quote.direction})`],
        ['exchange_rate', quote.exchange_rate],
      ]),
  })
}
