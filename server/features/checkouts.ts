/** The feature `checkouts`: shoppers pay orders on pages with the element, with a form, or on a page of this server. */

import { TrackedCheckout } from '../api/view-schema.ts'
import { checkoutKind } from '../checkouts/kind.ts'
import { readCheckout } from '../checkouts/record.ts'
import { retrievedCheckoutOf } from '../checkouts/view.ts'
import { text } from '../contract/openapi-field.ts'
import { declareResolve, ResolveBody, wholeTransaction } from '../routes/api/resolve.ts'
import { declareResource } from '../routes/api/resource.ts'
import { declareStatus } from '../routes/checkout-status.ts'
import { declareInitiate } from '../routes/initiate.ts'
import { declareMethods } from '../routes/methods.ts'
import { declarePay } from '../routes/pay.tsx'
import { declareResume, declareReturn } from '../routes/return.ts'
import { declareStream } from '../routes/stream.ts'
import { findOwn } from '../transactions/find.ts'

import type { Feature } from '../routes/feature.ts'

export const checkouts: Feature = {
  name: 'checkouts',
  kind: { name: 'checkout', rules: checkoutKind },
  events: ['checkout'],
  callbacks: ['checkout'],
  needsOrderSource: true,

  frequentRoutes(app, deps) {
    declareInitiate(app, deps)
    declareStatus(app, deps)
    declareStream(app, deps)
  },

  routes(app, deps) {
    declareMethods(app, deps)
    declareReturn(app, deps)
    declareResume(app, deps)
    declarePay(app, deps)

    const { store, account, clock } = deps

    declareResource(app, deps, {
      kind: 'checkout',
      tag: 'Records',
      keyName: 'key',
      key: text('A checkout_id, or an order for its latest checkout.', 'A-1001'),
      schema: TrackedCheckout,
      toView: ([row]) => retrievedCheckoutOf(readCheckout(row), clock.now()),
      // The reference of an order comes first, because an order may be named like the id of another order's checkout.
      find: async (key) => {
        const checkoutsOfOrder = await store.list(account, 'checkout', key)
        const latest = checkoutsOfOrder.at(-1)
        if (latest) {
          return [latest]
        }

        const row = await findOwn(deps, key)
        // The id may be that of a charge, a payout or airtime.
        return row?.kind === 'checkout' ? [row] : []
      },
      unknownDetail: 'No checkout has this id, and no order this reference.',
    })

    declareResolve(app, deps, {
      kind: 'checkout',
      tag: 'Records',
      // Of the checkout: an order may have several checkouts.
      reference: text('The merchant_transaction_id.', '7f9c2ba4-e88f-427d-9161-9b2b4a5c1e07'),
      body: ResolveBody,
      answer: TrackedCheckout,
      findSubject: (row) =>
        wholeTransaction(readCheckout(row), (checkout) => retrievedCheckoutOf(checkout, clock.now())),
    })
  },
}
