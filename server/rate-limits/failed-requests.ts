/**
 * Limits requests that fail. Each limit counts certain failed requests from one client network within a time window,
 * which begins with the first of them. When the count reaches the limit, further such requests are answered with
 * `too_many_requests` until the window ends. Each process counts for itself, in memory.
 *
 * A limit only changes the answer to a request that has failed. What is right is never refused, because mobile
 * operators put thousands of shoppers behind one IP address.
 */

import { refuse } from '../api/refusal.ts'
import { loggedNetwork } from './network.ts'

import type { Refusal } from '../api/refusal.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../work/clock.ts'

/** The time window of every limit. */
const WINDOW_MS = 60_000

/**
 * The limits on failed requests: the most in a time window, and what they are in messages. Those on prompts are in
 * `prompts.ts`. [assumed] These numbers and the time window are suitable.
 */
export const LIMITS = {
  api_keys: { most: 20, what: 'requests with a wrong MERCHANT_API_KEY' },
  /** Starts whose order is unknown or invalid. */
  orders: { most: 30, what: 'requests for orders that do not exist' },
  checkouts: { most: 30, what: 'requests for checkouts that do not exist' },
  callbacks: { most: 30, what: 'callbacks with a wrong address or wrong credentials' },
} as const
type LimitName = keyof typeof LIMITS

export type Limiter = ReturnType<typeof createLimiter>

interface LimiterDeps {
  clock: Clock
  log: Log
  metrics: { limited(limit: LimitName): void } | undefined
}

interface Count {
  requests: number
  /** End of the time window, in milliseconds since the Unix epoch. */
  endsAt: number
}

/**
 * The maximum number of networks that one limit counts. If there are more, the one whose time window began first is
 * deleted. Each takes about 200 bytes of memory.
 */
const MAX_NETWORKS = 20_000

const REACHED = `A limit is reached: further failures of this network are refused for up to ${WINDOW_MS / 1_000} seconds.`

export function createLimiter({ clock, log, metrics }: LimiterDeps) {
  // Separate counts for each limit: a flood of requests that one limit counts deletes no counts of the other limits.
  const counts = new Map<LimitName, Map<string, Count>>()
  return { take }

  /**
   * Counts a failed request. Returns a refusal instead if the limit is reached: the caller then sends the refusal, and
   * not the failure.
   *
   * @param network The client network of the request; `null` if it is unknown, and no limit applies.
   */
  function take(name: LimitName, network: string | null): Refusal | null {
    if (network === null) {
      return null
    }

    const { most, what } = LIMITS[name]
    const networks = counts.get(name) ?? new Map<string, Count>()
    counts.set(name, networks)
    const found = find(name, network)
    // A network with a new window moves to the end of the map.
    if (!found) {
      networks.delete(network)
    }

    const { requests, endsAt } = found ?? { requests: 0, endsAt: clock.now() + WINDOW_MS }
    if (requests >= most) {
      metrics?.limited(name)
      const limit = { name, most, windowMs: WINDOW_MS }
      return refuseBeyond(limit, endsAt - clock.now(), `Too many ${what} came from this address.`)
    }

    networks.set(network, { requests: requests + 1, endsAt })
    if (requests + 1 === most) {
      log.warn({ limit: name, network: loggedNetwork(network) }, REACHED)
    }

    const [oldest = network] = networks.keys()
    if (networks.size > MAX_NETWORKS) {
      networks.delete(oldest)
    }
    return null
  }

  /** Returns the count of a network in its current time window; `null` if there is none. */
  function find(name: LimitName, network: string): Count | null {
    const found = counts.get(name)?.get(network)
    if (!found) {
      return null
    }

    const leftMs = found.endsAt - clock.now()
    // After the system clock jumps back, the end of a window may lie too far in the future.
    return leftMs > 0 && leftMs <= WINDOW_MS ? found : null
  }
}

/**
 * Returns the refusal of a request beyond a limit.
 *
 * @param sentence What there was too much of.
 */
export function refuseBeyond(
  { name, most, windowMs }: { name: string; most: number; windowMs: number },
  waitMs: number,
  sentence: string,
): Refusal {
  const retryAfter = Math.ceil(waitMs / 1_000)
  const quota = { name, most, windowSeconds: windowMs / 1_000, retryAfter }
  return { ...refuse('too_many_requests', `${sentence} Try again in ${retryAfter} seconds.`), quota }
}
