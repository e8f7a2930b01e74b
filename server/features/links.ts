/**
 * The feature `links`: one link that many pay, each with an order of their own. Its orders are paid on the pages of the
 * feature `checkouts`, which a server with links needs, too.
 */

import { withRest } from '../checkouts/remaining-amount.ts'
import { resolveLinkOrder } from '../links/orders.ts'
import { isLinkOrder } from '../orders/order.ts'
import { declareLinks } from '../routes/api/links.ts'
import { declareLinkPage } from '../routes/link.tsx'

import type { Feature } from '../routes/feature.ts'

export const links: Feature = {
  name: 'links',
  events: [],
  callbacks: [],
  ownOrders: {
    isOwn: isLinkOrder,
    resolve: (deps, name) => withRest(deps, name, resolveLinkOrder(deps, name)),
  },
  routes(app, deps) {
    declareLinkPage(app, deps)
    declareLinks(app, deps)
  },
}
