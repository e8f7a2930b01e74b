/**
 * The request budget, a token bucket with two parts. Pure.
 *
 * All requests to the gateway take tokens from the shared part. Only status queries take tokens from the reserved part,
 * and only status queries wait until a token is available.
 */

/** The number of tokens in each part at the time `at`. The unit of `at` is milliseconds since the Unix epoch. */
export interface Budget {
  readonly shared: number
  readonly reserved: number
  readonly at: number
}

/** The share of new tokens that only status queries can use. [assumed] */
const RESERVED = 1 / 5

/** The maximum number of tokens in each part, and the number of tokens that each part gains per second. */
export interface BudgetLimits {
  most: { shared: number; reserved: number }
  perSecond: { shared: number; reserved: number }
}

/**
 * Returns the limits of a budget for `perSecond` requests per second. With these limits, at most `perSecond` tokens can
 * be used in any second, even if the budget is full when the second starts. `delayMs` is the maximum time from taking a
 * token to using the token, in milliseconds.
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

/**
 * Returns the budget with the tokens that were gained from `at` to `now`. If the system clock has jumped back, no token
 * is gained.
 */
function refill({ shared, reserved, at }: Budget, perSecond: number, now: number): Budget {
  const { most, perSecond: gain } = limitsOf(perSecond)
  const seconds = Math.max(0, now - at) / 1_000
  return {
    shared: Math.min(most.shared, shared + seconds * gain.shared),
    reserved: Math.min(most.reserved, reserved + seconds * gain.reserved),
    at: now,
  }
}

/** Returns the budget after a status query has taken a token; `null` if no token is available. */
export function take(budget: Budget, perSecond: number, now: number): Budget | null {
  const { shared, reserved } = refill(budget, perSecond, now)
  if (shared >= 1) return { shared: shared - 1, reserved, at: now }
  return reserved >= 1 ? { shared, reserved: reserved - 1, at: now } : null
}

/**
 * Returns the budget after a request that does not wait for a token. The request uses a token of the shared part, if
 * this part is not empty.
 */
export function count(budget: Budget, perSecond: number, now: number): Budget {
  const { shared, reserved } = refill(budget, perSecond, now)
  return { shared: Math.max(0, shared - 1), reserved, at: now }
}

/**
 * Returns the time at which the next token for a status query is available, in whole milliseconds since the Unix epoch.
 */
export function readyAt({ shared, reserved, at }: Budget, perSecond: number): number {
  const { perSecond: gain } = limitsOf(perSecond)
  const seconds = Math.min((1 - shared) / gain.shared, (1 - reserved) / gain.reserved)
  return at + Math.max(0, Math.ceil(seconds * 1_000))
}

/**
 * The priorities of status queries, most urgent first. A callback or the return page requests `notified` queries. A
 * page that shows the transaction requests `watched` queries. A query is `due` when its stored time has come.
 */
export const PRIORITIES = ['notified', 'watched', 'due'] as const
export type Priority = (typeof PRIORITIES)[number]

/**
 * Every fifth query is taken from the least urgent waiting queries, so that open pages do not block due queries.
 * [assumed]
 */
const LEAST_URGENT_EVERY = 5

/**
 * Returns the priority of the next query to send; `undefined` if no query is waiting.
 *
 * @param served Number of queries that were taken from the queue so far.
 */
export function nextPriority(
  isWaiting: (priority: Priority) => boolean,
  served: number,
): Priority | undefined {
  const waiting = PRIORITIES.filter(isWaiting)
  return served % LEAST_URGENT_EVERY === LEAST_URGENT_EVERY - 1 ? waiting.at(-1) : waiting[0]
}
