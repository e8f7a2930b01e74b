/** `/api/fx` and `/api/accounts`: what the gateway says of rates and of the float, asked anew each time. */

import type { Context } from 'hono'
import type { QuoteRequest } from '../../gateway/quote.ts'
import type { GatewayClient } from '../../gateway/client.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { decimal } from '../../contract/fields.ts'
import { isExactIn } from '../../gateway/currency.ts'
import { DIRECTIONS, quote } from '../../gateway/quote.ts'
import { invalid, invalidIssues, orGatewayProblem } from '../problem.ts'

export interface RateApi {
  client: GatewayClient
}

const missing = (issue: { input?: unknown }) => (issue.input === undefined ? 'is required' : 'must be text')
const currency = z.string({ error: missing }).regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code, such as KES')

export const RatesQuery = z.object({ base_currency: currency })
export const QuoteQuery = z
  .object({
    from: currency,
    to: currency,
    amount: decimal.refine(
      (value) => /[1-9]/.test(value) && !value.startsWith('-'),
      'must be more than zero',
    ),
    direction: z.enum(DIRECTIONS, 'must be buying or selling').default('buying'),
  })
  .refine(({ from, amount }) => isExactIn(from, amount), {
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
