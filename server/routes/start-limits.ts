/** Looks up the order in a request to start a checkout, and applies the limits on such requests. */

import type { Initiated, Payer } from '../checkouts/initiate.ts'
import type { PromptRequest } from '../checkouts/prompt.ts'
import type { Config } from '../config.ts'
import type { Order, ResolveOrder } from '../orders/order.ts'
import type { RouteDeps } from './route.ts'
import { choosePayer } from '../checkouts/initiate.ts'
import { digestOrder } from '../checkouts/visit.ts'
import { completeMsisdn, isCountry } from '../countries.ts'
import { orProblem, problemOf } from './problem.ts'

/**
 * Finds the order of a request.
 *
 * @param orderText The field `order` of the request, which may differ from the reference of the order.
 * @throws {ProblemError} if there is no such order, or a limit is reached.
 */
export async function lookUpOrder(
  orderText: string,
  network: string | null,
  { limiter, resolveOrder }: Pick<RouteDeps, 'limiter' | 'resolveOrder'>,
): Promise<Order> {
  const by = startsKey(network, orderText)
  const refused = limiter.findRefusal('starts', by)
  if (refused) throw problemOf(refused)
  const resolve = () => resolveOrder(orderText)
  const resolveOnce = () => limiter.run('orders', network, resolve, isGuess)
  const found = await limiter.run('lookups', network, resolveOnce, isUnanswered)
  const isRefusedStart = found.kind === 'refused' && found.code === 'order_not_payable'
  if (isRefusedStart) limiter.count('starts', by)
  const { order } = orProblem(found)
  if (orderText !== order.order) limiter.count('starts', by)
  return order
}

/** Calls `start`, unless the limit `starts` or `numbers` is reached. */
export async function startOnce(
  start: () => Promise<Initiated>,
  { order, payer, network }: { order: Order; payer: Payer; network: string | null },
  { limiter, fingerprints, config }: Pick<RouteDeps, 'limiter' | 'fingerprints' | 'config'>,
): Promise<Initiated> {
  const number = numberOf(payer, order, config)
  // The limiter keeps a fingerprint in memory, not the phone number.
  const payerKey = number === null ? null : fingerprints.of('phone', number)
  const startForNumber = () => limiter.run('numbers', payerKey, start, isSent)
  return limiter.run('starts', startsKey(network, order.order), startForNumber, () => true)
}

/** Returns the request to ask the payer on the phone, which counts for the limit `prompts`. */
export function promptRequest(
  method: string | undefined,
  { limiter, fingerprints }: Pick<RouteDeps, 'limiter' | 'fingerprints'>,
): PromptRequest {
  return { method, admit: (msisdn) => limiter.take('prompts', fingerprints.of('phone', msisdn)) }
}

/** Returns the key of the limit `starts`. The key contains a digest, because a signed order is long. */
function startsKey(network: string | null, order: string): string | null {
  return network && `${network} ${digestOrder(order)}`
}

/**
 * Returns the payer's phone number, for the limit on new checkouts per phone number. Returns `null`, which means no
 * limit, if the phone number is unknown. Also returns `null` in the sandbox, because everybody uses the same test
 * numbers there.
 */
function numberOf(payer: Payer, order: Order, { environment, country }: Config): string | null {
  const { msisdn } = choosePayer(order, payer, country)
  if (environment === 'sandbox' || msisdn === undefined) return null
  const known = payer.country && isCountry(payer.country) ? payer.country : country
  return completeMsisdn(msisdn, known) ?? msisdn
}

/** Returns whether a start has sent a new checkout to the gateway, even if the gateway refused this checkout. */
function isSent(result: Initiated): boolean {
  if (result.kind !== 'refused') return result.kind === 'created'
  return result.code === 'gateway_refused' || result.code === 'gateway_contradiction'
}

/**
 * Returns whether the client may have guessed the order in an initiate request. This is the case if the order does not
 * exist or the signed order is invalid.
 */
function isGuess(result: Awaited<ReturnType<ResolveOrder>>): boolean {
  return result.kind === 'refused' && (result.code === 'order_unknown' || result.code === 'order_invalid')
}

function isUnanswered(result: Awaited<ReturnType<ResolveOrder>>): boolean {
  return result.kind === 'refused' && result.code === 'orders_unavailable'
}
