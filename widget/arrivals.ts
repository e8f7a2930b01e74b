/**
 * How a shopper comes back. The BFF's return leads to the merchant's page with the fragment
 * `#gateway-checkout={checkout_id}`, and that page may hold several tags.
 *
 * [assumed] The first free tag in the document takes the fragment. When the view names another tag's order, it is
 * handed to that tag; where no tag has it, to nobody, unless there is but one: an order may be signed anew.
 */

export interface Claimant {
  readonly order: string
  readonly isFree: boolean
  takeUp(checkoutId: string): void
}

/** Tags on the page: arrivals may be handed to them. */
export const claimants = new Set<Claimant>()

/**
 * Takes the checkout that a shopper comes back from out of the address. The rest is written in full: a path alone
 * would be another site's where the page has a `<base>` of its own, or begins with two slashes.
 */
export function receiveArrival({ location, history }: Window): string | undefined {
  const checkoutId = /^#gateway-checkout=([\w.~-]+)$/.exec(location.hash)?.[1]
  if (checkoutId) history.replaceState(history.state, '', location.href.replace(/#.*/, ''))
  return checkoutId
}

/** Whether an arrival of this order is rather another tag's; which one, if it is there and free. */
export function betterClaimants(order: string, current: Claimant): Claimant[] | null {
  if (current.order === order || claimants.size < 2) return null
  return [...claimants].filter((claimant) => claimant.order === order && claimant.isFree)
}
