/**
 * Declares `/api/fx` (exchange rates), `/api/fx/quote` (quotes) and `/api/accounts/{account_number}/balance`. The
 * server queries the gateway for every request to these routes.
 */

import { z } from 'zod'

import { invalid } from '../../api/refusal.ts'
import { isExactIn } from '../../contract/currency.ts'
import { currency, oneOf, positive } from '../../contract/fields.ts'
import { field, text } from '../../contract/openapi-field.ts'
import { Balance } from '../../contract/rates.ts'
import { DIRECTIONS, quote, Quote } from '../../money/quote.ts'
import { orGatewayProblem, problem, ProblemError } from '../problem.ts'
import { json, route } from '../route.ts'

import type { GatewayRefusal } from '../../gateway/errors.ts'
import type { Needs } from '../route.ts'
import type { Hono } from 'hono'

/** The description of the field, and an example. */
const BASE_CURRENCY = ['Currency whose rates are listed, ISO 4217.', 'KES'] as const

const RatesQuery = z.object({ base_currency: field(currency, ...BASE_CURRENCY) })

const QuoteQuery = z
  .object({
    from: field(currency, 'Currency of the amount, ISO 4217.', 'KES'),
    to: field(currency, 'The other currency, ISO 4217.', 'UGX'),
    amount: field(
      positive,
      "Amount as decimal text in major units of from. More than 0, with at most the currency's fraction digits.",
      '1500.00',
    ),
    direction: field(
      oneOf(DIRECTIONS).default('buying'),
      'buying: the gateway takes the amount and pays out its value. selling: the gateway pays out the amount and takes its cost.',
    ),
  })
  .refine(({ from, amount }) => isExactIn(from, amount), {
    path: ['amount'],
    error: 'must be an amount that the currency has coins for',
    // Which fractions are exact can be decided only with a valid currency and a valid amount.
    when: ({ issues }) => issues.length === 0,
  })

const Rate = z.object({
  buying: text('Rate at which the gateway takes the base currency, as decimal text.', '28.1'),
  selling: text('Rate at which the gateway gives the base currency, as decimal text.', '28.9'),
})

const Rates = z
  .object({
    base_currency: text(...BASE_CURRENCY),
    rates: field(z.record(z.string(), Rate), 'Value of one unit of the base currency, by currency code.'),
  })
  .meta({ id: 'Rates', description: 'The exchange rates of a currency. They change on the hour.' })

const GATEWAY_PROBLEMS = [
  'gateway_unauthorized',
  'gateway_contradiction',
  'gateway_answer_invalid',
  'gateway_unavailable',
] as const

export function declareRates(app: Hono, { client }: Needs<'client'>): void {
  route(app, 'GET', '/api/fx', {
    id: 'listRates',
    tag: 'Rates',
    summary: 'List the exchange rates of a currency',
    query: RatesQuery,
    answers: [json(200, 'The rates of this hour.', Rates)],
    problems: GATEWAY_PROBLEMS,
    handle: async ({ c, query: { base_currency } }) =>
      c.json(await orGatewayProblem(client.getRates(base_currency), noRates('base_currency'))),
  })

  route(app, 'GET', '/api/fx/quote', {
    id: 'retrieveQuote',
    tag: 'Rates',
    summary: 'Retrieve a quote',
    description: `The value of an amount in another currency, in exact decimals and in the names of a payout's request. The amount that is paid out is rounded down, the amount that is taken is rounded up.`,
    query: QuoteQuery,
    answers: [json(200, 'At the rates of this hour.', Quote)],
    problems: GATEWAY_PROBLEMS,
    handle: async ({ c, query }) => {
      const quoted = quote(query, await orGatewayProblem(client.getRates(query.from), noRates('from')))
      if (quoted) {
        return c.json(quoted)
      }

      const message = `has no rate: the gateway does not exchange ${query.from} for it`
      throw new ProblemError(invalid([{ path: 'to', message }]))
    },
  })

  route(app, 'GET', '/api/accounts/:account_number/balance', {
    id: 'retrieveBalance',
    tag: 'Rates',
    summary: 'Retrieve the balance of the float account',
    description: 'Answers not_found for an account that the gateway does not know.',
    params: z.object({
      account_number: text('Number of the float account.', 'ACC-001'),
    }),
    answers: [json(200, 'The available balance.', Balance)],
    problems: GATEWAY_PROBLEMS,
    handle: async ({ c, params }) =>
      c.json(await orGatewayProblem(client.getBalance(params.account_number), noAccount)),
  })
}

/**
 * Converts the gateway's refusal into a problem with the field that contains the currency. [assumed] The currency is
 * the only input of the request, so every refusal (status code 115 or another) is about it.
 */
const noRates =
  (path: string) =>
  ({ message, refusal }: GatewayRefusal) =>
    problem('invalid_request', message, {
      errors: [{ path, message: 'has no rates at the gateway' }],
      gateway: refusal,
    })

/** [assumed] The account number is the only input of the request, so every refusal is about it. */
const noAccount = ({ message, refusal }: GatewayRefusal) =>
  problem('not_found', message, { gateway: refusal })
