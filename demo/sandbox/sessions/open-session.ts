// Opens the session of a checkout or a charge, once for each id, and finds it by its id.

import { isDeepStrictEqual } from 'node:util'
import { refused } from '../wire/failure.ts'
import { reportOf } from './session.ts'
import type { Result } from '../wire/failure.ts'
import type { World } from '../world.ts'
import type { CheckoutSession, Terms } from './session.ts'

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
  const { kind } = terms.instruction
  const existing = world.sessions.get(terms.id)
  const name = JSON.stringify(terms.id)
  // Compared after parsing, so "+254 700" and "254700", or 500 and "500", are the same body.
  if (existing && !isDeepStrictEqual(existing.instruction, terms.instruction))
    return refused('transaction_taken', `${ID[kind]} ${name} was already used with another body.`)
  if (existing) return { value: { session: existing, isNew: false } }
  if (world.sessions.size >= MAX_SESSIONS)
    return refused('sandbox_full', `It keeps ${MAX_SESSIONS} checkouts; reset it to go on.`)

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
    custody: kind === 'charge' ? 'held' : 'merchant',
    language: null,
    changedAt: now,
  }
  world.sessions.set(terms.id, session)
  world.sessionsByReference.set(reference, session)
  if (kind === 'charge') world.charges.set(session.chargeRequestId, session)
  return { value: { session, isNew: true } }
}

/** The name of the id of each kind. */
const ID = { checkout: 'merchant_transaction_id', charge: 'external_reference' } as const

export function findStatus(
  { sessions, clock }: World,
  kind: keyof typeof ID,
  { [ID[kind]]: id = '' }: Readonly<Record<string, string>>,
): Result<object> {
  const session = sessions.get(id)
  return session?.instruction.kind === kind
    ? { value: reportOf(session, clock.now()) }
    : refused('transaction_unknown', `No transaction has the ${ID[kind]} ${JSON.stringify(id)}.`)
}
