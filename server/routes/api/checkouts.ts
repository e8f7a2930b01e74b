/** `/api/checkouts`: the checkouts of your orders. */

import type { Hono } from 'hono'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { MerchantAccount, Store, Transaction } from '../../store.ts'
import type { Synchronizer } from '../../transactions/synchronizer.ts'
import { z } from 'zod'
import { field } from '../../api/field.ts'
import { CHECKOUT_OUTCOMES, CheckoutViewSchema } from '../../api/view-schema.ts'
import { readCheckout } from '../../checkouts/record.ts'
import { viewOf } from '../../checkouts/view.ts'
import { answerList, listQuery, pageOf, positionOf } from '../listing.ts'
import { ProblemError } from '../problem.ts'
import { json, route } from '../route.ts'

export interface CheckoutApi {
  store: Store
  account: MerchantAccount
  synchronizer: Synchronizer
  clock: Clock
  log: Log
}

const Page = pageOf(CheckoutViewSchema).meta({ ref: 'CheckoutPage', description: 'A page of checkouts.' })

export function declareCheckouts(app: Hono, { store, account, synchronizer, clock, log }: CheckoutApi): void {
  const show = (row: Transaction) => viewOf(readCheckout(row), clock.now())

  route(app, {
    method: 'GET',
    path: '/api/checkouts',
    id: 'listCheckouts',
    tag: 'Records',
    summary: 'List checkouts',
    query: listQuery(CHECKOUT_OUTCOMES),
    answers: [json(200, 'One page, in the order of the last change.', Page)],
    problems: ['invalid_request', 'store_unavailable'],
    handle: async ({ c, query }) =>
      answerList(c, await store.search(account, 'checkout', query), show, positionOf, log),
  })

  route(app, {
    method: 'GET',
    path: '/api/checkouts/:key',
    id: 'retrieveCheckout',
    tag: 'Records',
    summary: 'Retrieve a checkout',
    description: 'Queries the gateway when the stored state is no longer fresh.',
    params: z.object({
      key: field(z.string(), 'A checkout_id, or an order for its latest checkout.', 'A-1001'),
    }),
    answers: [json(200, 'The checkout with its state.', CheckoutViewSchema)],
    problems: ['unknown_checkout', 'store_unavailable'],
    handle: async ({ c, params }) => {
      const known = await find(params.key)
      const row = known && (await synchronizer.synchronizeWithin(known.id, 'poll'))
      if (row) return c.json(show(row))
      throw new ProblemError('unknown_checkout', 'No checkout has this id, and no order this reference.')
    },
  })

  /** Finds a checkout by id, or the latest checkout of an order. */
  async function find(key: string): Promise<Transaction | null> {
    const row = await store.find(key)
    if (row?.kind === 'checkout') return row
    return (await store.list(account, 'checkout', key)).at(-1) ?? null
  }
}
