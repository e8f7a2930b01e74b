/** Finds the checkout that an order shows. Queries the gateway, and sends nothing. */

import { isRefusal, refuse } from '../api/refusal.ts'
import { describePruned } from '../transactions/tombstone.ts'
import { planAttempt, refuseChanged } from './plan.ts'
import { readCheckout } from './record.ts'
import { readRequestedTerms } from './terms.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Config } from '../config/config.ts'
import type { Order } from '../orders/order.ts'
import type { SubmitDeps } from '../transactions/sender.ts'
import type { Synchronizer } from '../transactions/synchronizer.ts'
import type { Checkout } from './record.ts'

interface CurrentDeps extends Pick<SubmitDeps, 'store' | 'account'> {
  synchronizer: Pick<Synchronizer, 'synchronizeWithin'>
  config: Pick<Config, 'gateway' | 'charges' | 'expiresInMinutes'>
}

/**
 * Resolves with the checkout that a start of the order would resume or show, after the gateway was asked about it as
 * for a page; `null` if a start would send something. Sends nothing.
 *
 * @param order The order, or the reference of an order that can no longer be looked up: then any terms count.
 */
export async function findCurrent(
  deps: CurrentDeps,
  order: Order | string,
): Promise<{ kind: 'existing'; checkout: Checkout | null } | Refusal> {
  const { store, account, synchronizer } = deps
  const group = typeof order === 'string' ? order : order.order
  const requested = typeof order === 'string' ? null : readRequestedTerms(order, deps)
  if (requested && isRefusal(requested)) {
    return requested
  }

  const readAttempts = async () => (await store.list(account, 'checkout', group)).map(readCheckout)
  const open = (await readAttempts()).filter(({ record }) => record.phase === 'open')
  await Promise.all(open.map(({ id }) => synchronizer.synchronizeWithin(id, 'poll')))
  const pruned = await store.listTombstones(account, 'checkout', group)
  const plan = planAttempt(await readAttempts(), requested, pruned)
  if (plan.kind === 'create') {
    return { kind: 'existing', checkout: null }
  }
  if (plan.kind === 'deleted') {
    return refuse('order_not_payable', describePruned(pruned))
  }
  if (plan.kind === 'changed' && requested) {
    return refuseChanged(plan.checkout, requested)
  }

  const { record } = plan.checkout
  const isUnsent = record.phase === 'intended' && record.stuck === null
  return { kind: 'existing', checkout: isUnsent ? null : plan.checkout }
}

/**
 * Resolves with the checkout of an order that is not the newest of its reference. Such an order finds its checkout as it
 * is: what else it says, such as the payer and the return address, is not what the merchant said last.
 */
export async function findOlder(
  deps: CurrentDeps,
  order: Order,
): Promise<{ kind: 'existing'; checkout: Checkout } | Refusal> {
  const current = await findCurrent(deps, order)
  if (current.kind === 'refused') {
    return current
  }
  return current.checkout ? { kind: 'existing', checkout: current.checkout } : NOT_NEWEST
}

const NOT_NEWEST = refuse(
  'order_expired',
  'The signed order is not the newest of its reference, and no checkout of it can be resumed.',
)
