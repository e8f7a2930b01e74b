/** `/api/fx` and `/api/accounts`: what the gateway says of rates and of the float, asked anew each time. */

import type { QuoteRequest } from '../../money/quote.ts'
import type { GatewayClient } from '../../gateway/client.ts'
import type { GatewayRefusal } from '../../gateway/errors.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { oneOf } from '../../contract/fields.ts'
import { currency, positive } from '../../contract/payout.ts'
import { isExactIn } from '../../money/currency.ts'
import { DIRECTIONS, quote } from '../../money/quote.ts'
import { invalid, orGatewayProblem, ProblemError, readGiven } from '../problem.ts'

export interface RateApi {
  client: GatewayClient
}

export const RatesQuery = z.object({ base_currency: currency.describe('ISO 4217.') })
export const QuoteQuery = z
  .object({
    from: currency.describe('ISO 4217: the currency of the amount.'),
    to: currency.describe('ISO 4217: the other currency.'),
    amount: positive.describe('Decimal text, exact in its currency.'),
    direction: oneOf(DIRECTIONS)
      .default('buying')
      .describe("The gateway's: buying takes the amount, selling pays it out."),
  })
  .refine(({ from, amount }) => isExactIn(from, amount), {
    path: ['amount'],
    error: 'must be an amount that the currency has coins for',
    when: ({ issues }) => issues.length === 0,
  })

export function rateApi({ client }: RateApi): Hono {
  const app = new Hono()

  app.get('/fx', async (c) => {
    const { base_currency } = readGiven(RatesQuery, c.req.query())
    return c.json(await orGatewayProblem(client.getRates(base_currency), noRates('base_currency')))
  })
  app.get('/fx/quote', async (c) => {
    const request: QuoteRequest = readGiven(QuoteQuery, c.req.query())
    const quoted = quote(request, await orGatewayProblem(client.getRates(request.from), noRates('from')))
    if (quoted) return c.json(quoted)
    throw invalid([
      { path: 'to', message: `has no rate: the gateway does not exchange ${request.from} for it` },
    ])
  })
  app.get('/accounts/:account_number/balance', async (c) => {
    const asked = client.getBalance(c.req.param('account_number'))
    return c.json(await orGatewayProblem(asked, noAccount))
  })

  return app
}

/** [assumed] The currency is the only input, so a refusal is about it, with 115 or another code. */
function noRates(path: string) {
  return ({ message, refusal }: GatewayRefusal) =>
    new ProblemError('invalid_request', message, {
      errors: [{ path, message: 'has no rates at the gateway' }],
      gateway: refusal,
    })
}

/** [assumed] The account number is the only input, so a refusal is about it. */
function noAccount({ message, refusal }: GatewayRefusal): ProblemError {
  return new ProblemError('not_found', message, { gateway: refusal })
}
