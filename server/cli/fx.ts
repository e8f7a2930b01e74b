/** Rates, or a quote. */

import type { Rates as RatesAnswer } from '../contract/rates.ts'
import type { Quote as QuoteAnswer } from '../money/quote.ts'
import type { ResultOptions } from './result.ts'
import type { Shell } from './shell.ts'
import { Rates } from '../contract/rates.ts'
import { Quote } from '../money/quote.ts'
import { withApi } from './api.ts'
import { CommandFailure, EXIT } from './exit-code.ts'
import { showResult } from './result.ts'
import { list, table } from './table.ts'

interface Asked {
  from: string
  to: string | undefined
  amount: string | undefined
}

export async function fx(
  shell: Shell,
  { from, to, amount }: Asked,
  options: ResultOptions & { selling?: boolean },
): Promise<void> {
  if (to !== undefined && amount === undefined) {
    throw new CommandFailure(EXIT.usage, 'A quote needs an amount: fx KES UGX 1500.00.')
  }
  await withApi(shell, async (api) => {
    if (to === undefined) {
      const asked = api.get('/fx', Rates, { base_currency: from })
      const { value, body } = await shell.waitFor('Asking for rates', asked)
      return showResult(shell, options, body, () => ratesTable(value))
    }
    const direction = options.selling ? 'selling' : 'buying'
    const asked = api.get('/fx/quote', Quote, { from, to, amount, direction })
    const { value, body } = await shell.waitFor('Asking for rates', asked)
    return showResult(shell, options, body, () => quoteList(value))
  })
}

function ratesTable({ base_currency, rates }: RatesAnswer): string {
  const rows = Object.entries(rates).map(([code, { buying, selling }]) => [code, buying, selling])
  return table([`1 ${base_currency}`, 'buying', 'selling'], rows)
}

function quoteList(quote: QuoteAnswer): string {
  return list([
    ['sender_amount', `${quote.sender_amount} ${quote.source_currency}`],
    ['recipient_amount', `${quote.recipient_amount} ${quote.destination_currency}`],
    ['rate', `${quote.rate} (${quote.direction})`],
    ['exchange_rate', quote.exchange_rate],
  ])
}
