import type { CheckoutSession, Terms } from './session.ts'
import type { Result } from '../wire/failure.ts'
import type { World } from '../world.ts'

const MAX_SESSIONS = 100_000

/**
 * Creates a session, or finds the session that an identical request created. Returns a failure if a different request
 * has already used the id in `terms`. [spec: Standard checkout request, merchant_transaction_id]
 */
export function openSession(
  world: World,
  terms: Terms,
  origin: string,
): Result<{ session: CheckoutSession; isNew: boolean }> {
  const existing = world.sessions.get(terms.id)
  // Compared after parsing, so "+254 700" and "254700", or 500 and "500", are the same body.
  if (existing && JSON.stringify(existing.instruction) !== JSON.stringify(terms.instruction))
    return { failure: { reason: 'transaction_taken', transaction: nameOf(terms.instruction.kind, terms.id) } }
  if (existing) return { value: { session: existing, isNew: false } }
  if (world.sessions.size >= MAX_SESSIONS) return { failure: { reason: 'sandbox_full', limit: MAX_SESSIONS } }

  const now = world.clock.now()
  const reference = world.randomness.hex(32)
  const session: CheckoutSession = {
    ...terms,
    merchant: world.merchant,
    reference,
    pageUrl: `${origin}/pay/${reference}`,
    chargeRequestId: world.randomness.digits(15),
    createdAt: now,
    payments: [],
    history: [{ at: now, kind: 'created' }],
    custody: terms.instruction.kind === 'charge' ? 'held' : 'merchant',
    changedAt: now,
  }
  world.sessions.set(terms.id, session)
  world.sessionsByReference.set(reference, session)
  if (session.instruction.kind === 'charge') world.charges.set(session.chargeRequestId, session)
  return { value: { session, isNew: true } }
}

export function findSession(
  world: World,
  kind: Terms['instruction']['kind'],
  id: string,
): Result<CheckoutSession> {
  const session = world.sessions.get(id)
  return session?.instruction.kind === kind
    ? { value: session }
    : { failure: { reason: 'transaction_unknown', transaction: nameOf(kind, id) } }
}

function nameOf(kind: Terms['instruction']['kind'], id: string): string {
  return `${kind === 'charge' ? 'external_reference' : 'merchant_transaction_id'} ${JSON.stringify(id)}`
}
