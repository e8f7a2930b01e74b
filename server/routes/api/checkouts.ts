/** Declares the routes of `/api/checkouts`, which list and retrieve checkouts. */

import type { Hono } from 'hono'
import type { Transaction } from '../../store/store.ts'
import type { RouteDeps } from '../route.ts'
import { CheckoutViewSchema } from '../../api/view-schema.ts'
import { OUTCOMES } from '../../api/view.ts'
import { readCheckout } from '../../checkouts/record.ts'
import { viewOf } from '../../checkouts/view.ts'
import { findOwn } from '../../transactions/record.ts'
import { declareList, declareRetrieve } from './transactions.ts'

export function declareCheckouts(app: Hono, deps: RouteDeps): void {
  const { store, account, clock } = deps
  const show = (row: Transaction) => viewOf(readCheckout(row), clock.now())

  declareList(app, deps, '/api/checkouts', {
    kind: 'checkout',
    id: 'listCheckouts',
    tag: 'Records',
    summary: 'List checkouts',
    outcomes: OUTCOMES,
    item: CheckoutViewSchema,
    page: { ref: 'CheckoutPage', description: 'A page of checkouts.' },
    show,
  })

  declareRetrieve(app, deps, '/api/checkouts/:key', {
    kind: 'checkout',
    id: 'retrieveCheckout',
    tag: 'Records',
    summary: 'Retrieve a checkout',
    key: ['A checkout_id, or an order for its latest checkout.', 'A-1001'],
    schema: CheckoutViewSchema,
    find,
    show,
    unknown: 'No checkout has this id, and no order this reference.',
  })

  /**
   * Finds the latest checkout of the order whose reference is `key`, or else the checkout whose id is `key`: whoever asks
   * for an order never gets another order. Resolves with an empty list if neither exists.
   */
  async function find(key: string): Promise<Transaction[]> {
    const ofOrder = await store.list(account, 'checkout', key)
    const row = ofOrder.at(-1) ?? (await findOwn(deps, key))
    return row?.kind === 'checkout' ? [row] : []
  }
}
