/**
 * The commands `fx` and `balance`. `fx` shows exchange rates, or the result of converting an amount. `balance` shows
 * the balance of a float account, which holds the merchant's money for payouts.
 */

import type { Command } from 'commander'
import type { ResultOptions } from './command.ts'
import type { Shell } from './shell.ts'
import { readConfig } from '../config.ts'
import { Balance } from '../contract/account.ts'
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
      const { selling, ...shown } = options
      if (to === undefined) return showRates(shell, from, shown)
      if (amount === undefined)
        throw new CommandFailure(EXIT.usage, 'A quote needs an amount: fx KES UGX 1500.00.')
      return showQuote(shell, { from, to, amount, direction: selling ? 'selling' : 'buying' }, shown)
    })
}

export function addBalance(program: Command, shell: Shell): void {
  addQuery(program, 'balance', 'retrieve the balance of a float account', 'balance --json')
    .argument('[account]', 'account number; default: GATEWAY_ACCOUNT_NUMBER, or its first account')
    .action((given: string | undefined, options: ResultOptions) => {
      const account = given ?? readConfig(shell.env).gateway.accountNumber
      return showResource(shell, options, {
        needsRecords: false,
        path: `/accounts/${encodeURIComponent(account)}/balance`,
        schema: Balance,
        asText: ({ balance, currency, status }) =>
          fieldList(['account', 'balance', 'status'], {
            account,
            balance: `${balance} ${currency}`,
            status,
          }),
      })
    })
}

function showRates(shell: Shell, base_currency: string, options: ResultOptions): Promise<void> {
  return showResource(shell, options, {
    needsRecords: false,
    path: '/fx',
    query: { base_currency },
    schema: Rates,
    asText: ({ rates, ...answer }) =>
      table(
        [`1 ${answer.base_currency}`, 'buying', 'selling'],
        Object.entries(rates).map(([code, { buying, selling }]) => [code, buying, selling]),
      ),
  })
}

const QUOTE_FIELDS = ['sender_amount', 'recipient_amount', 'rate', 'exchange_rate'] as const

function showQuote(shell: Shell, query: Record<string, string>, options: ResultOptions): Promise<void> {
  return showResource(shell, options, {
    needsRecords: false,
    path: '/fx/quote',
    query,
    schema: Quote,
    asText: (quote) =>
      fieldList(QUOTE_FIELDS, {
        sender_amount: `${quote.sender_amount} ${quote.source_currency}`,
        recipient_amount: `${quote.recipient_amount} ${quote.destination_currency}`,
        rate: `${quote.rate} (${quote.direction})`,
        exchange_rate: quote.exchange_rate,
      }),
  })
}
