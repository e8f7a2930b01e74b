/** `/api/history`: what happened to whatever has a reference, sentence by sentence. */

import type { MerchantAccount, Store, Transaction } from '../../store.ts'
import { Hono } from 'hono'
import { z } from 'zod'
import { ProblemError } from '../problem.ts'

interface HistoryApi {
  store: Store
  account: MerchantAccount
}

export const History = z.object({
  reference: z.string(),
  transactions: z.array(
    z.object({
      kind: z.enum(['checkout', 'payout', 'charge', 'airtime']),
      reference: z.string().describe('What the gateway knows it by.'),
      attempt: z.int(),
      outcome: z.string(),
      created_at: z.iso.datetime(),
      history: z.array(z.object({ at: z.iso.datetime(), what: z.string() })),
    }),
  ),
})
type History = z.output<typeof History>

export function historyApi({ store, account }: HistoryApi): Hono {
  const app = new Hono()

  app.get('/:reference', async (c) => {
    const reference = c.req.param('reference')
    const rows = await find(reference)
    if (rows.length === 0)
      throw new ProblemError(
        'unknown_reference',
        'No payout, charge, airtime, order or checkout has this reference.',
      )
    const answer: History = { reference, transactions: await Promise.all(rows.map(tell)) }
    return c.json(answer)
  })

  return app

  /** What the gateway knows something by, a checkout_id, an order with all its checkouts, or airtime with all its requests. */
  async function find(reference: string): Promise<Transaction[]> {
    const single = [
      await store.findByReference(account, 'payout', reference),
      await store.findByReference(account, 'charge', reference),
      await store.findByReference(account, 'checkout', reference),
      await store.findByReference(account, 'airtime', reference),
      await store.find(reference),
    ]
    const groups = [
      await store.list(account, 'checkout', reference),
      await store.list(account, 'airtime', reference),
    ]
    const rows = [...single, ...groups.flat()]
    const byId = new Map(rows.flatMap((row) => (row ? [[row.id, row] as const] : [])))
    return [...byId.values()]
  }

  async function tell({ id, kind, reference, attempt, outcome, created_at }: Transaction) {
    const entries = await store.history(id)
    const history = entries.map(({ at, what }) => ({ at: new Date(at).toISOString(), what }))
    return { kind, reference, attempt, outcome, created_at: new Date(created_at).toISOString(), history }
  }
}
