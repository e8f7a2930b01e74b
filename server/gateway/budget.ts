/**
 * The budget of requests to the gateway: a token bucket with a shared and a reserved part. Pure.
 *
 * Every request takes a token, but only status queries wait for one. Other requests, such as new checkouts, use only
 * the shared part, so that a fifth of the budget is reserved for status queries.
 */

/** The available tokens of both parts, at a time in milliseconds since the Unix epoch. */
export interface Budget {
  readonly shared: number
  readonly reserved: number
  readonly at: number
}

/** The part of the budget that is reserved for status queries. [assumed] */
const RESERVED = 1 / 5

/** The capacity of each part of a budget, and its new tokens per second. */
export interface BudgetLimits {
  most: { shared: number; reserved: number }
  perSecond: { shared: number; reserved: number }
}

/**
 * Returns the capacity of each part, and its new tokens per second. At most `perSecond` tokens can be used in any second,
 * including saved tokens, if each is used within `delayMs` milliseconds after it was taken.
 */
export function limitsOf(perSecond: number, delayMs = 0): BudgetLimits {
  const most = { shared: Math.max(1, perSecond / 10 - 1), reserved: 1 }
  const gain = Math.max(1, perSecond - most.shared - most.reserved) / (1 + delayMs / 1_000)
  return { most, perSecond: { shared: gain * (1 - RESERVED), reserved: gain * RESERVED } }
}

export function fullBudget(perSecond: number, now: number): Budget {
  const { most } = limitsOf(perSecond)
  return { ...most, at: now }
}

/** Adds the tokens since the last refill. After the system clock jumps back, adds none. */
function refill({ shared, reserved, at }: Budget, perSecond: number, now: number): Budget {
  const { most, perSecond: gain } = limitsOf(perSecond)
  const seconds = Math.max(0, now - at) / 1_000
  return {
    shared: Math.min(most.shared, shared + seconds * gain.shared),
    reserved: Math.min(most.reserved, reserved + seconds * gain.reserved),
    at: now,
  }
}

/** Takes a token for a status query. Returns `null` if no token is available. */
export function take(budget: Budget, perSecond: number, now: number): Budget | null {
  const { shared, reserved } = refill(budget, perSecond, now)
  if (shared >= 1) return { shared: shared - 1, reserved, at: now }
  return reserved >= 1 ? { shared, reserved: reserved - 1, at: now } : null
}

/** Takes a token for a request that does not wait, if the shared part has one. */
export function count(budget: Budget, perSecond: number, now: number): Budget {
  const { shared, reserved } = refill(budget, perSecond, now)
  return { shared: Math.max(0, shared - 1), reserved, at: now }
}

/** Returns when the next token for a status query is available, in whole milliseconds since the Unix epoch. */
export function readyAt({ shared, reserved, at }: Budget, perSecond: number): number {
  const { perSecond: gain } = limitsOf(perSecond)
  const seconds = Math.min((1 - shared) / gain.shared, (1 - reserved) / gain.reserved)
  return at + Math.max(0, Math.ceil(seconds * 1_000))
}

/**
 * Why a status query is requested, most urgent first: by a callback or the return page, by a page, or by its due time.
 */
export const PRIORITIES = ['notified', 'watched', 'due'] as const
export type Priority = (typeof PRIORITIES)[number]

/**
 * Every fifth query is taken from the lowest waiting priority, so that open pages do not block due queries. [assumed]
 */
const LEAST_URGENT_EVERY = 5

/**
 * Returns the priority of the next query; `undefined` if no query waits.
 *
 * @param served Number of waiting queries that were sent before.
 */
export function nextPriority(
  isWaiting: (priority: Priority) => boolean,
  served: number,
): Priority | undefined {
  const waiting = PRIORITIES.filter(isWaiting)
  return served % LEAST_URGENT_EVERY === LEAST_URGENT_EVERY - 1 ? waiting.at(-1) : waiting[0]
}
