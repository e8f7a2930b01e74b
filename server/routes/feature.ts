/** Defines a feature: what the server does for one purpose. `server/features.ts` lists the features. */

import type { Chapter, EventSubject } from '../api/kind-table.ts'
import type { FeatureName } from '../config/feature-variables.ts'
import type { Resolution } from '../orders/order.ts'
import type { Extension, ExtensionDeps } from '../transactions/extension.ts'
import type { OwnKind } from '../transactions/kinds.ts'
import type { Needs, RouteDeps } from './route.ts'
import type { Hono } from 'hono'

export interface Feature {
  name: FeatureName
  /** The kind of the transactions that the feature creates; absent if it creates none of its own. */
  kind?: OwnKind
  /** The subjects of its events: the part of an event's type before the dot. */
  events: readonly EventSubject[]
  /** The chapters of the gateway's callbacks about its transactions. */
  callbacks: readonly Chapter[]
  /** Whether the feature looks up orders, so that the server needs a source of orders. */
  needsOrderSource?: true
  /** Looks up the orders that the feature makes itself, before the merchant's source is asked. */
  ownOrders?: OwnOrders
  /** Stores more with the changes of transactions, and works beside the requests. */
  extend?(deps: ExtensionDeps): Extension
  /**
   * Declares the routes that pages call most often. To be fast, they set their headers themselves and are declared before
   * the middleware.
   */
  frequentRoutes?(app: Hono, deps: RouteDeps): void
  /** Declares the other routes. */
  routes(app: Hono, deps: RouteDeps): void
}

/** The orders of a feature. A text, which a page sends to name an order, is the reference of such an order. */
export interface OwnOrders {
  /** Returns whether a text names such an order. The merchant's source is not asked about it. */
  isOwn(text: string): boolean
  resolve(
    deps: Needs<'store' | 'account' | 'fingerprints' | 'sealer' | 'clock'>,
    text: string,
  ): Promise<Resolution>
}
