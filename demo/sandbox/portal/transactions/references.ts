import type { World } from '../../world.ts'

/**
 * Returns the path of the page of a transaction, below `/portal`; `null` if no transaction has the reference.
 *
 * @param reference The reference of a callback or of a ledger entry. In the ledger, a recipient of airtime has the
 *   reference `{reference}/{phone_number}`.
 */
export function pathOfReference(world: World, reference: string): string | null {
  const session = world.sessions.get(reference)
  const id = encodeURIComponent(reference)
  if (session) return session.instruction.kind === 'charge' ? `/charges/${id}` : `/payments/${id}`
  if (world.payouts.has(reference)) return `/payouts/${id}`
  if (world.airtime.has(reference)) return `/airtime/${id}`
  const slash = reference.lastIndexOf('/')
  const [request, phone] = [reference.slice(0, slash), reference.slice(slash + 1)]
  const isRecipient = slash > 0 && world.airtime.get(request)?.recipients.has(phone)
  return isRecipient ? `/airtime/${encodeURIComponent(request)}/${encodeURIComponent(phone)}` : null
}
