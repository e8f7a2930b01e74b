/**
 * Tokens for status queries: from a budget of this process, or from one that all processes of a merchant account share.
 *
 * A shared token is used within {@link USE_WITHIN_MS}, so that processes cannot save tokens and use them together.
 */

import type { Clock } from '../clock.ts'
import type { BudgetLimits } from './budget.ts'
import { withTimeout } from '../with-timeout.ts'
import { count, fullBudget, limitsOf, readyAt, take } from './budget.ts'

export interface Tokens {
  /** Takes a token for a query. Returns `false` if there is none, or if the budget is shared. */
  takeNow(): boolean
  /** Resolves with the number of queries that may start now, at most `most`; with 0 after a pause. */
  take(most: number): Promise<number>
  /** Counts a request that does not wait. */
  count(): void
}

/**
 * Takes tokens from the shared budget, after it has counted requests that did not wait. Resolves with the number of
 * tokens, at most `queries`.
 */
export type TakeShared = (queries: number, counted: number, limits: BudgetLimits) => Promise<number>

const USE_WITHIN_MS = 100
/** The time without a response after which the shared budget counts as unreachable. */
const TIMEOUT_MS = 1_000
/** How long the process then uses its own budget. */
const OWN_MS = 5_000
/** The pause after the shared budget had fewer tokens than queries. */
const SCARCE_PAUSE_MS = 50
/** The pause before requests that did not wait are counted, if no query does it sooner. */
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

/** While the shared budget cannot be reached, the process has the whole budget to itself. */
export function createSharedTokens(clock: Clock, perSecond: number, takeShared: TakeShared): Tokens {
  const own = createOwnTokens(clock, perSecond)
  const limits = limitsOf(perSecond, USE_WITHIN_MS)
  let uncounted = 0
  let isCounting = false
  /** The shared budget is not asked before this time. */
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
      // Late tokens of several processes could be used together.
      return clock.now() - askedAt > USE_WITHIN_MS ? Math.min(1, taken) : taken
    } catch {
      ownUntil = clock.now() + OWN_MS
      return 0
    }
  }
}
