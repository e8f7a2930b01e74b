/** Begins the sessions of checkouts and charges, each once. */

import type { CheckoutSession, Terms } from './session.ts'
import type { Result } from '../wire/failure.ts'
import type { World } from '../world.ts'

const MAX_SESSIONS = 100_000

/**
 * A new session, or the one that the same order began before: a lost answer may be asked for again.
 * [spec: Standard checkout request, merchant_transaction_id]
 */
export function begin(
  world: World,
  terms: Terms,
  origin: string,
): Result<{ session: CheckoutSession; isNew: boolean }> {
  const earlier = world.checkouts.get(terms.id)
  // Compared as read, so "+254 700" and "254700", or 500 and "500", are the same body.
  if (earlier && JSON.stringify(earlier.order) !== JSON.stringify(terms.order))
    return { failure: { reason: 'transaction_taken', transaction: nameOf(terms) } }
  if (earlier) return { value: { session: earlier, isNew: false } }
  if (world.checkouts.size >= MAX_SESSIONS)
    return { failure: { reason: 'sandbox_full', limit: MAX_SESSIONS } }

  const reference = world.randomness.hex(32)
  const session: CheckoutSession = {
    ...terms,
    reference,
    pageUrl: `${origin}/pay/${reference}`,
    chargeRequestId: world.randomness.hex(24),
    payments: [],
    custody: terms.order.kind === 'charge' ? 'held' : 'merchant',
    changedAt: world.agenda.now(),
  }
  world.checkouts.set(terms.id, session)
  world.checkoutsByReference.set(reference, session)
  return { value: { session, isNew: true } }
}

/** The session of that kind and id. */
export function find(world: World, kind: Terms['order']['kind'], id: string): Result<CheckoutSession> {
  const session = world.checkouts.get(id)
  return session?.order.kind === kind
    ? { value: session }
    : { failure: { reason: 'transaction_unknown', transaction: nameOf({ order: { kind }, id }) } }
}

/** As the merchant calls it: `merchant_transaction_id "order-1"`. */
function nameOf({ order, id }: { order: { kind: Terms['order']['kind'] }; id: string }): string {
  const field = order.kind === 'charge' ? 'external_reference' : 'merchant_transaction_id'
  return `${field} ${JSON.stringify(id)}`
}
