/** `/api`: for the merchant's backend, in any language. Off while no key is set. */

import type { Context } from 'hono'
import type { Config } from '../config.ts'
import type { GatewayClient } from '../gateway/client.ts'
import type { Submit, Submitted } from '../payouts/submit.ts'
import type { Variant } from '../payouts/record.ts'
import type { Clock } from '../clock.ts'
import type { Home, Store, Transaction } from '../store.ts'
import type { Door } from '../transactions/door.ts'
import { Hono } from 'hono'
import { readCheckout } from '../checkouts/record.ts'
import { viewOf } from '../checkouts/view.ts'
import { GatewayError, GatewayRefusal } from '../gateway/errors.ts'
import { readPayout } from '../payouts/record.ts'
import { trackedOf } from '../payouts/tracked.ts'
import { readBody } from './body.ts'
import { answerPage, readQuery } from './listing.ts'
import { gatewayProblem, invalid, ProblemError } from './problem.ts'
import { isSameSecret } from './secret.ts'

export interface ApiRoutes {
  config: Pick<Config, 'apiKeys'>
  store: Store
  home: Home
  door: Door
  clock: Clock
  client: GatewayClient
  submit: Submit
}

export function apiRoutes({ config, store, home, door, clock, client, submit }: ApiRoutes): Hono {
  const app = new Hono()

  app.use(async (c, next) => {
    if (!config.apiKeys)
      throw new ProblemError('not_found', 'The merchant API is off: no MERCHANT_API_KEY is set.')
    const given = c.req.header('authorization') ?? ''
    if (!config.apiKeys.some((key) => isSameSecret(given, `Bearer ${key}`))) {
      throw new ProblemError('unauthorized', 'Send Authorization: Bearer with the MERCHANT_API_KEY.')
    }
    c.header('cache-control', 'no-store')
    await next()
  })

  const pay = (variant: Variant) => async (c: Context) =>
    answerSubmitted(c, await submit(variant, await readBody(c)))
  app.post('/payouts', pay('local'))
  app.post('/payouts/imt', pay('transfer'))
  app.post('/payouts/b2b', pay('b2b'))

  app.get('/payouts/:reference', async (c) => {
    const row = await fresh(await store.findByReference(home, 'payout', c.req.param('reference')))
    if (!row) throw new ProblemError('unknown_payout', 'No payout has this reference.')
    return c.json(trackedOf(readPayout(row)))
  })
  app.get('/checkouts/:key', async (c) => {
    const row = await fresh(await findCheckout(c.req.param('key')))
    if (!row)
      throw new ProblemError('unknown_checkout', 'No checkout has this id, and no order this reference.')
    return c.json(viewOf(readCheckout(row), clock.now()))
  })
  app.get('/payouts', async (c) => {
    const rows = await store.search(home, 'payout', readQuery(c))
    return answerPage(c, rows, (row) => trackedOf(readPayout(row)))
  })
  app.get('/checkouts', async (c) => {
    const rows = await store.search(home, 'checkout', readQuery(c))
    return answerPage(c, rows, (row) => viewOf(readCheckout(row), clock.now()))
  })

  app.get('/fx', async (c) => {
    const base = c.req.query('base_currency') ?? ''
    if (!/^[A-Z]{3}$/.test(base)) {
      throw invalid([{ path: 'base_currency', message: 'must be an ISO 4217 code, such as KES' }])
    }
    return c.json(await orProblem(client.getRates(base)))
  })
  app.get('/accounts/:account_number/balance', async (c) =>
    c.json(await orProblem(client.getBalance(c.req.param('account_number')))),
  )

  return app

  /** The checkout of this id, or the latest of this order. */
  async function findCheckout(key: string): Promise<Transaction | null> {
    const row = await store.find(key)
    if (row?.kind === 'checkout') return row
    return (await store.list(home, 'checkout', key)).at(-1) ?? null
  }

  async function fresh(row: Transaction | null): Promise<Transaction | null> {
    return row && door.glance(row.id, 'poll')
  }
}

function answerSubmitted(c: Context, submitted: Submitted): Response {
  switch (submitted.kind) {
    case 'begun':
      return c.json(trackedOf(submitted.payout), 201)
    case 'known':
      return c.json(trackedOf(submitted.payout), 200)
    case 'invalid':
      throw invalid(submitted.errors)
    case 'reference_reused':
      throw new ProblemError('reference_reused', 'Another payout was sent under this payout_reference.')
  }
}

async function orProblem<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof GatewayRefusal)
      throw new ProblemError('gateway_refused', error.message, { gateway: error.refusal })
    if (error instanceof GatewayError) throw gatewayProblem(error)
    throw error
  }
}
