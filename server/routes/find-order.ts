/**
 * Finds what a text in a page or an address names: an order that the merchant gives, or the checkout of one that is no
 * longer given. Every route by which a shopper names an order asks here.
 */

import { findCurrent, findOlder } from '../checkouts/current.ts'
import { nameOrder, orProblem, ProblemError } from './problem.ts'
import { isOfOrder } from './return.ts'

import type { ProblemCode } from '../api/problem-codes.ts'
import type { Refusal } from '../api/refusal.ts'
import type { Checkout } from '../checkouts/record.ts'
import type { Order, ResolvedOrder } from '../orders/order.ts'
import type { Needs } from './route.ts'
import type { Context } from 'hono'

export type FindOrderDeps = Needs<
  | 'config'
  | 'store'
  | 'account'
  | 'synchronizer'
  | 'resolveOrder'
  | 'identifyOrder'
  | 'fingerprints'
  | 'limiter'
  | 'clientNetwork'
>

/** The checkout of an order that can no longer be looked up. It is shown, and nothing is started. */
interface FormerOrder {
  kind: 'former'
  checkout: Checkout
}

/** What a text names, and the text. */
export type NamedOrder = (ResolvedOrder | FormerOrder) & { text: string }

/**
 * Resolves with the order that a text names. A shopper may come back to an order that has meanwhile expired, or that the
 * merchant no longer wants to be paid: its checkout is then found by the text that started it, if one is live or has money.
 *
 * @param texts The text, and those that may be meant where it names nothing. They count as one guess.
 * @throws {ProblemError} if there is neither an order nor such a checkout.
 */
export async function findOrder(
  c: Context,
  texts: readonly [string, ...string[]],
  deps: FindOrderDeps,
): Promise<NamedOrder> {
  const [first, ...rest] = texts
  const others = rest.filter((text) => text !== first && text !== '')
  nameText(c, first, deps)
  const found = await findNamed(first, deps)
  if (found.kind !== 'refused') {
    return { ...found, text: first }
  }

  for (const text of GUESSES.includes(found.code) ? others : []) {
    const meant = await findNamed(text, deps)
    if (meant.kind !== 'refused') {
      return { ...meant, text }
    }
  }

  throw new ProblemError(limitGuess(found, deps.clientNetwork(c), deps))
}

/** Names the text in the log, if the request fails. A signed order is not its reference, and is too long for the log. */
export function nameText(c: Context, text: string, { identifyOrder }: Needs<'identifyOrder'>): void {
  if (!identifyOrder) {
    nameOrder(c, text)
  }
}

/**
 * Resolves with the checkout that an order shows, or with the order if it can be started.
 *
 * @throws {ProblemError} if there is neither, for example because other terms are paid for.
 */
export async function findPayable(named: NamedOrder, deps: FindOrderDeps): Promise<Order | Checkout> {
  if (named.kind === 'former') {
    return named.checkout
  }

  const { order, isNewest } = named
  if (!isNewest) {
    return orProblem(await findOlder(deps, order)).checkout
  }
  return orProblem(await findCurrent(deps, order)).checkout ?? order
}

async function findNamed(text: string, deps: FindOrderDeps): Promise<ResolvedOrder | FormerOrder | Refusal> {
  const { identifyOrder, resolveOrder } = deps
  const resolution = await resolveOrder(text)
  if (resolution.kind === 'order') {
    return resolution
  }

  const reference = identifyOrder ? await identifyOrder(text) : text
  const current = reference === null ? resolution : await findCurrent(deps, reference)
  const checkout = current.kind === 'existing' ? current.checkout : null
  return checkout && (await isOfOrder(checkout, text, deps)) ? { kind: 'former', checkout } : resolution
}

/**
 * Returns the refusal of an order, or that of the limit on guesses if it is one guess too many. An order that exists,
 * or whose signature is valid, is found whatever else has come from the client's address.
 */
export function limitGuess(refusal: Refusal, network: string | null, { limiter }: Needs<'limiter'>): Refusal {
  if (!GUESSES.includes(refusal.code)) {
    return refusal
  }
  return limiter.take('orders', network) ?? refusal
}

/** The refusals of orders that the client may have guessed. */
const GUESSES: readonly ProblemCode[] = ['order_unknown', 'order_invalid']
