/**
 * Replaces the amount of an order by what is left to pay, if a checkout of the order has ended partially paid. The
 * merchant's own look-up of orders does so itself. Of the orders that this server makes, only the server knows what was
 * paid.
 */

import { restOf } from './plan.ts'
import { readCheckout } from './record.ts'

import type { Resolution } from '../orders/order.ts'
import type { MerchantAccount } from '../store/merchant-account.ts'
import type { Store } from '../store/store.ts'

interface RestDeps {
  store: Store
  account: MerchantAccount
}

/** Resolves with the order, with the amount that is left to pay. */
export async function withRest(
  { store, account }: RestDeps,
  name: string,
  resolving: Promise<Resolution>,
): Promise<Resolution> {
  const [attempts, resolution] = await Promise.all([store.list(account, 'checkout', name), resolving])
  if (resolution.kind !== 'order') {
    return resolution
  }

  const { order } = resolution
  return { ...resolution, order: { ...order, amount: restOf(attempts.map(readCheckout), order.amount) } }
}
