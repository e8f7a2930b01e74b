/** Declares the routes of `/api/checkouts`, which list and retrieve checkouts. */

import type { Hono } from 'hono'
import type { RouteDeps } from '../route.ts'
import { CheckoutViewSchema } from '../../api/view-schema.ts'
import { readCheckout } from '../../checkouts/record.ts'
import { viewOf } from '../../checkouts/view.ts'
import { findOwn } from '../../transactions/record.ts'
import { declareResource } from './transactions.ts'

export function declareCheckouts(app: Hono, deps: RouteDeps): void {
  const { store, account, clock } = deps

  declareResource(app, deps, '/api/checkouts', {
    kind: 'checkout',
    tag: 'Records',
    key: ['key', 'A checkout_id, or an order for its latest checkout.', 'A-1001'],
    schema: CheckoutViewSchema,
    show: (row) => viewOf(readCheckout(row), clock.now()),
    /** Prefers the order whose reference is `key`: whoever asks for an order never gets another order. */
    find: async (key) => {
      const ofOrder = await store.list(account, 'checkout', key)
      const row = ofOrder.at(-1) ?? (await findOwn(deps, key))
      return row?.kind === 'checkout' ? [row] : []
    },
    unknown: 'No checkout has this id, and no order this reference.',
  })
}
