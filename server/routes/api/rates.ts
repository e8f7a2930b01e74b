/** `/api/fx` and `/api/accounts`: what the gateway says of rates and of the float, asked anew each time. */

import type { Context } from 'hono'
import type { QuoteRequest } from '../../gateway/quote.ts'
import type { GatewayClient } from '../../gateway/client.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { isDecimal } from '../../contract/decimal.ts'
import { oneOf } from '../../contract/fields.ts'
import { currency, positive } from '../../contract/payout.ts'
import { isExactIn } from '../../gateway/currency.ts'
import { DIRECTIONS, quote } from '../../gateway/quote.ts'
import { invalid, invalidIssues, orGatewayProblem } from '../problem.ts'

export interface RateApi {
  client: GatewayClient
}

export const RatesQuery = z.object({ base_currency: currency })
export const QuoteQuery = z
  .object({
    from: currency,
    to: currency,
    amount: positive,
    direction: oneOf(DIRECTIONS).default('buying'),
  })
  // What is no decimal has broken a rule already.
  .refine(({ from, amount }) => !isDecimal(amount) || isExactIn(from, amount), {
    path: ['amount'],
    error: 'must be an amount that the currency has coins for',
  })

export function rateApi({ client }: RateApi): Hono {
  const app = new Hono()

  app.get('/fx', async (c) => {
    const { base_currency } = readQuery(c, RatesQuery)
    return c.json(await orGatewayProblem(client.getRates(base_currency)))
  })
  app.get('/fx/quote', async (c) => {
    const request: QuoteRequest = readQuery(c, QuoteQuery)
    const quoted = quote(request, await orGatewayProblem(client.getRates(request.from)))
    if (quoted) return c.json(quoted)
    throw invalid([
      { path: 'to', message: `has no rate: the gateway does not exchange ${request.from} for it` },
    ])
  })
  app.get('/accounts/:account_number/balance', async (c) =>
    c.json(await orGatewayProblem(client.getBalance(c.req.param('account_number')))),
  )

  return app
}

function readQuery<Query>(c: Context, schema: z.ZodType<Query>): Query {
  const query = schema.safeParse(c.req.query())
  if (query.success) return query.data
  throw invalidIssues(query.error.issues)
}
