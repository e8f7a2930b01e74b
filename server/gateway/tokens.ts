/**
 * Provides tokens of the request budget, not access tokens. The tokens come from a budget of this process, or from a
 * budget that all server processes of a merchant account share.
 *
 * The tokens of a shared budget must be used within {@link USE_WITHIN_MS} milliseconds, because processes that save
 * tokens could exceed the limit together.
 */

import type { Clock } from '../clock.ts'
import type { BudgetLimits } from './budget.ts'
import { withTimeout } from '../with-timeout.ts'
import { count, fullBudget, limitsOf, readyAt, take } from './budget.ts'

export interface Tokens {
  /**
   * Takes a token for a status query without waiting. Returns `false` if no token is available. Always returns `false`
   * while tokens come from a shared budget, because a shared budget can only be used asynchronously.
   */
  takeNow(): boolean
  /**
   * Takes up to `most` tokens for status queries. Resolves with the number of tokens taken. If this number is 0, the
   * caller calls again at once, because this function makes the necessary pauses.
   */
  take(most: number): Promise<number>
  /** Deducts a token for a request that was sent without waiting for a token. */
  count(): void
}

/**
 * Takes tokens from the shared budget for `queries` status queries. First deducts `counted` tokens for requests that
 * were sent without waiting for a token. Resolves with the number of tokens taken, at most `queries`.
 */
export type TakeShared = (queries: number, counted: number, limits: BudgetLimits) => Promise<number>

const USE_WITHIN_MS = 100
/** The time without a response after which the shared budget is treated as unreachable, in milliseconds. */
const TIMEOUT_MS = 1_000
/** How long this process uses its own budget after the shared budget was unreachable, in milliseconds. */
const OWN_MS = 5_000
/** The pause before tokens are requested again if the shared budget had too few tokens, in milliseconds. */
const SCARCE_PAUSE_MS = 50
/**
 * Requests that do not wait for a token are counted for this time, in milliseconds. Then their tokens are deducted from
 * the shared budget together.
 */
const COUNT_PAUSE_MS = 100

export function createOwnTokens(clock: Clock, perSecond: number): Tokens {
  let budget = fullBudget(perSecond, clock.now())
  return { takeNow, take: takeOwn, count: countOwn }

  function takeNow(): boolean {
    const left = take(budget, perSecond, clock.now())
    budget = left ?? budget
    return left !== null
  }

  async function takeOwn(most: number): Promise<number> {
    let taken = 0
    while (taken < most && takeNow()) taken += 1
    if (taken === 0) await clock.sleep(Math.max(1, readyAt(budget, perSecond) - clock.now()))
    return taken
  }

  function countOwn(): void {
    budget = count(budget, perSecond, clock.now())
  }
}

/**
 * Provides tokens from a shared budget. While the shared budget is unreachable, this process uses its own budget, which
 * allows `perSecond` requests per second.
 */
export function createSharedTokens(clock: Clock, perSecond: number, takeShared: TakeShared): Tokens {
  const own = createOwnTokens(clock, perSecond)
  const limits = limitsOf(perSecond, USE_WITHIN_MS)
  let uncounted = 0
  let isCounting = false
  /** Until this time, this process requests no tokens from the shared budget. */
  let restUntil = 0
  let ownUntil = 0

  return {
    takeNow: () => isOwn() && own.takeNow(),
    async take(most) {
      if (isOwn()) return own.take(most)
      const rest = restUntil - clock.now()
      if (rest > 0 && rest <= SCARCE_PAUSE_MS) {
        await clock.sleep(rest)
        return 0
      }
      const taken = await ask(most)
      if (taken < most) restUntil = clock.now() + SCARCE_PAUSE_MS
      return taken
    },
    count() {
      own.count()
      uncounted += 1
      void countSoon()
    },
  }

  function isOwn(): boolean {
    const left = ownUntil - clock.now()
    return left > 0 && left <= OWN_MS
  }

  async function countSoon(): Promise<void> {
    if (isCounting) return
    isCounting = true
    await clock.sleep(COUNT_PAUSE_MS)
    isCounting = false
    if (uncounted > 0 && !isOwn()) await ask(0)
  }

  async function ask(queries: number): Promise<number> {
    const askedAt = clock.now()
    const counted = uncounted
    uncounted = 0
    try {
      const asked = () => takeShared(queries, counted, limits)
      const taken = await withTimeout(TIMEOUT_MS, clock, asked, 'The shared budget does not respond.')
      // If the response is late, at most one token is used. Otherwise, several processes could use late tokens at the
      // same time.
      return clock.now() - askedAt > USE_WITHIN_MS ? Math.min(1, taken) : taken
    } catch {
      ownUntil = clock.now() + OWN_MS
      return 0
    }
  }
}
