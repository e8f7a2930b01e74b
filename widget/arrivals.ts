/**
 * Which tag a shopper comes back to. The BFF's return leads to the merchant's page with the fragment
 * `#gateway-checkout={checkout_id}`, and that page may hold several tags.
 *
 * [assumed] The fragment belongs to the tag that remembers the checkout from before; failing that, to the first
 * free one in the document, which hands it on when the view turns out to name another tag's order.
 */

export interface Claimant {
  readonly order: string
  isFree(): boolean
  remembers(checkoutId: string): boolean
  takeUp(checkoutId: string): void
}

const FRAGMENT = /^#gateway-checkout=([\w.~-]+)$/

/** Tags on the page by the order in which they arrived, which is the document's for those parsed with it. */
const claimants = new Set<Claimant>()

/** From now on, shoppers may come back to this tag, until `signal` aborts. */
export function expectArrivals(claimant: Claimant, signal: AbortSignal): void {
  claimants.add(claimant)
  signal.addEventListener('abort', () => claimants.delete(claimant))
}

/** Gives the fragment, if there is one, to its tag and takes it out of the address. */
export function receiveArrival({ location, history }: Window): void {
  const checkoutId = FRAGMENT.exec(location.hash)?.[1]
  const free = [...claimants].filter((claimant) => claimant.isFree())
  if (checkoutId === undefined) return
  const owner = free.find((claimant) => claimant.remembers(checkoutId)) ?? free[0]
  if (owner === undefined) return
  history.replaceState(history.state, '', location.pathname + location.search)
  owner.takeUp(checkoutId)
}

/** The tag to which an arrival should be handed on, if there is a better one. */
export function betterClaimant(order: string, current: Claimant): Claimant | undefined {
  if (current.order === order) return
  return [...claimants].find((claimant) => claimant.order === order && claimant.isFree())
}
