/**
 * The feature `links`: many people can pay by one link, each with an order of their own. The orders are paid on pages of
 * the feature `checkouts`, so a server with links needs both features.
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
