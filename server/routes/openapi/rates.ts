/** The addresses of `/api/fx` and `/api/accounts`. */

import type { Operation } from './operation.ts'
import { QuoteQuery, RatesQuery } from '../api/rates.ts'
import { json } from './operation.ts'

const asking = {
  method: 'GET',
  tag: 'Rates',
  needsKey: true,
  problems: ['gateway_unauthorized', 'gateway_contradiction', 'gateway_unavailable'],
} as const satisfies Partial<Operation>

export const RATE_OPERATIONS: readonly Operation[] = [
  {
    ...asking,
    path: '/api/fx',
    id: 'getRates',
    summary: 'See the rates of a currency',
    description:
      'They turn on the hour. A rate is what one unit of base_currency comes to in the other currency.',
    query: RatesQuery,
    answers: [json(200, 'Buying and selling, by currency.', 'Rates')],
    problems: ['invalid_request', ...asking.problems],
  },
  {
    ...asking,
    path: '/api/fx/quote',
    id: 'getQuote',
    summary: 'See what an amount comes to in another currency',
    description: `Exact decimals, in the names of a payout's request.

Buying, the gateway takes the amount and pays out what it is worth: what a payout of that much brings. Selling, it pays out the amount and takes what that costs: what a recipient's amount needs. Rounded to what the currency has coins for, never in the recipient's favour.`,
    query: QuoteQuery,
    answers: [json(200, 'At the rate of this hour.', 'Quote')],
    problems: ['invalid_request', ...asking.problems],
  },
  {
    ...asking,
    path: '/api/accounts/:account_number/balance',
    id: 'getBalance',
    summary: 'See what the float account holds',
    parameters: { account_number: 'Of the float account.' },
    answers: [json(200, 'Available balance, as decimal text.', 'Balance')],
  },
]
