/** `/api/checkouts`: what became of an order. */

import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { MerchantAccount, Store, Transaction } from '../../store.ts'
import type { Synchronizer } from '../../transactions/synchronizer.ts'
import { Hono } from 'hono'
import { readCheckout } from '../../checkouts/record.ts'
import { viewOf } from '../../checkouts/view.ts'
import { answerList, positionOf, readListQuery } from '../listing.ts'
import { ProblemError } from '../problem.ts'
import { CHECKOUT_OUTCOMES } from '../view-schema.ts'

export interface CheckoutApi {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  clock: Clock
  log: Log
}

export function checkoutApi({ store, account, synchronizer, clock, log }: CheckoutApi): Hono {
  const app = new Hono()
  const show = (row: Transaction) => viewOf(readCheckout(row), clock.now())

  app.get('/', async (c) => {
    const rows = await store.search(account, 'checkout', readListQuery(c, CHECKOUT_OUTCOMES))
    return answerList(c, rows, show, positionOf, log)
  })
  app.get('/:key', async (c) => {
    const known = await find(c.req.param('key'))
    const row = known && (await synchronizer.synchronizeWithin(known.id, 'poll'))
    if (!row)
      throw new ProblemError('unknown_checkout', 'No checkout has this id, and no order this reference.')
    return c.json(show(row))
  })

  return app

  /** The checkout of this id, or the latest of this order. */
  async function find(key: string): Promise<Transaction | null> {
    const row = await store.find(key)
    if (row?.kind === 'checkout') return row
    return (await store.list(account, 'checkout', key)).at(-1) ?? null
  }
}
