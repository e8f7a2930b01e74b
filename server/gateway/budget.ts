/**
 * The budget of requests to the gateway, as a token bucket with two parts. Pure.
 *
 * Every request counts, but only status queries wait: a shopper who starts a checkout is never turned away for the
 * budget. Requests that do not wait use the shared part only, so a fifth of the budget stays for queries, however many
 * checkouts start.
 */

/** The tokens of both parts at a time, in milliseconds since the Unix epoch. */
export interface Budget {
  readonly shared: number
  readonly reserved: number
  readonly at: number
}

/** [assumed] The part of the budget that is kept for status queries. */
const RESERVED = 1 / 5

/**
 * Returns how many tokens each part holds and gains per millisecond. Both together allow at most `perSecond` requests
 * in any second: the tokens that were saved and those of the second.
 */
function partsOf(perSecond: number) {
  const most = { shared: Math.max(1, perSecond / 10 - 1), reserved: 1 }
  const perMs = Math.max(1, perSecond - most.shared - most.reserved) / 1000
  return { most, perMs: { shared: perMs * (1 - RESERVED), reserved: perMs * RESERVED } }
}

export function fullBudget(perSecond: number, now: number): Budget {
  const { most } = partsOf(perSecond)
  return { ...most, at: now }
}

/** After the system clock jumps back, time counts from the new time on. */
function refill({ shared, reserved, at }: Budget, perSecond: number, now: number): Budget {
  const { most, perMs } = partsOf(perSecond)
  const ms = Math.max(0, now - at)
  return {
    shared: Math.min(most.shared, shared + ms * perMs.shared),
    reserved: Math.min(most.reserved, reserved + ms * perMs.reserved),
    at: now,
  }
}

/** Takes a token for a query. Returns `null` if there is none. */
export function take(budget: Budget, perSecond: number, now: number): Budget | null {
  const { shared, reserved } = refill(budget, perSecond, now)
  if (shared >= 1) return { shared: shared - 1, reserved, at: now }
  return reserved >= 1 ? { shared, reserved: reserved - 1, at: now } : null
}

/** Counts a request that does not wait. */
export function count(budget: Budget, perSecond: number, now: number): Budget {
  const { shared, reserved } = refill(budget, perSecond, now)
  return { shared: Math.max(0, shared - 1), reserved, at: now }
}

/** Returns when the next token for a query is there, in whole milliseconds since the Unix epoch. */
export function readyAt({ shared, reserved, at }: Budget, perSecond: number): number {
  const { perMs } = partsOf(perSecond)
  const ms = Math.min((1 - shared) / perMs.shared, (1 - reserved) / perMs.reserved)
  return at + Math.max(0, Math.ceil(ms))
}

/** Why a status query waits, the most urgent first. */
export const PRIORITIES = ['notified', 'watched', 'due'] as const
export type Priority = (typeof PRIORITIES)[number]

/** [assumed] Every fifth query is the least urgent that waits, so that no number of open pages stops the others. */
const LEAST_URGENT_EVERY = 5

/**
 * Returns the priority whose query is next; `undefined` if none waits.
 *
 * @param served How many waiting queries were served before.
 */
export function nextPriority(
  isWaiting: (priority: Priority) => boolean,
  served: number,
): Priority | undefined {
  const waiting = PRIORITIES.filter(isWaiting)
  return served % LEAST_URGENT_EVERY === LEAST_URGENT_EVERY - 1 ? waiting.at(-1) : waiting[0]
}
