/**
 * Limits requests. Each limit counts certain requests, such as the failed requests from one client network, within a
 * time window, which begins with the first of them. When the count reaches the limit, further requests are refused with
 * `too_many_requests` until the window ends. Each process counts for itself, in memory.
 *
 * The limits per client network count only failed requests, because mobile operators put thousands of shoppers behind
 * one IP address.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Refusal } from '../refusal.ts'
import { refuse } from '../refusal.ts'
import { withTimeout } from '../with-timeout.ts'
import { loggedNetwork } from './network.ts'

interface Limit {
  most: number
  windowMs: number
  /**
   * Whether the limit counts requests per client network. If `true`, the warning in the log contains the network with a
   * shorter prefix.
   */
  isByNetwork: boolean
  detail: string
}

const MINUTE = 60_000

/**
 * The limits on requests.
 *
 * - `api_keys` counts requests with a wrong API key, per client network.
 * - `orders` counts requests whose order is unknown or invalid, per client network.
 * - `lookups` counts requests whose order the merchant's backend could not look up, per client network.
 * - `starts` counts starts of a checkout, repeated and refused starts included, per client network and order.
 * - `numbers` counts new checkouts that were sent to the gateway, also refused ones, per phone number.
 * - `prompts` counts prompts on the payer's phone, also refused ones, per phone number.
 * - `checkouts` counts requests for checkouts that do not exist, per client network.
 * - `callbacks` counts callbacks with a wrong address or wrong credentials, per client network.
 *
 * [assumed] These numbers and time windows are suitable.
 */
export const LIMITS = {
  api_keys: {
    most: 20,
    windowMs: MINUTE,
    isByNetwork: true,
    detail: 'Too many requests with a wrong MERCHANT_API_KEY came from this address.',
  },
  starts: {
    most: 60,
    windowMs: MINUTE,
    isByNetwork: false,
    detail: 'The checkout of this order was started too often from this address.',
  },
  numbers: {
    most: 20,
    windowMs: 10 * MINUTE,
    isByNetwork: false,
    detail: 'Too many checkouts were started for this phone number.',
  },
  prompts: {
    most: 3,
    windowMs: 10 * MINUTE,
    isByNetwork: false,
    detail: 'This phone was asked too often.',
  },
  orders: {
    most: 30,
    windowMs: MINUTE,
    isByNetwork: true,
    detail: 'Too many requests for orders that do not exist came from this address.',
  },
  lookups: {
    most: 300,
    windowMs: MINUTE,
    isByNetwork: true,
    detail: 'Too many lookups of orders for this address have failed.',
  },
  checkouts: {
    most: 30,
    windowMs: MINUTE,
    isByNetwork: true,
    detail: 'Too many requests for checkouts that do not exist came from this address.',
  },
  callbacks: {
    most: 30,
    windowMs: MINUTE,
    isByNetwork: true,
    detail: 'Too many callbacks with a wrong address or wrong credentials came from this address.',
  },
} as const satisfies Record<string, Limit>
export type LimitName = keyof typeof LIMITS

export type Limiter = ReturnType<typeof createLimiter>

interface LimiterDeps {
  clock: Clock
  log: Log
  metrics: Metrics
}

interface Count {
  requests: number
  /** End of the time window, in milliseconds since the Unix epoch. */
  endsAt: number
}

/** The calls of `run` with one key. */
interface Calls {
  /** The number of running calls that have not left their place. */
  places: number
  /** For each waiting call, a function that makes the call test the limit again. */
  waiting: (() => void)[]
}

/**
 * The maximum number of keys of one limit. If there are more keys, the key whose time window began first is deleted.
 * Each key takes about 200 bytes of memory.
 */
const MOST_KEYS = 20_000
/** The maximum number of calls with one key that wait. Further calls are refused for `BUSY_MS` milliseconds. */
const MOST_WAITING = 1_000
const BUSY_MS = 1_000
/**
 * The time after which a running call leaves its place to another call, in milliseconds, if the limit is per client
 * network: many shoppers share a network, and the slow lookups of some orders must not delay the lookups of others.
 */
const SLOW_MS = 500
/** All calls use this one error, because creating an error is expensive. */
const SLOW = new Error('The call is slow.')

export function createLimiter({ clock, log, metrics }: LimiterDeps) {
  // Separate counts for each limit: a flood of requests that one limit counts deletes no counts of the other limits.
  const counts = new Map<LimitName, Map<string, Count>>()
  const calls = new Map<string, Calls>()
  return { findRefusal, count, take, run }

  /**
   * Returns a refusal if the limit is reached, otherwise `null`.
   *
   * @param key Identifies whose requests are counted, such as a client network; `null` if the limit does not apply.
   */
  function findRefusal(name: LimitName, key: string | null): Refusal | null {
    const found = key === null ? null : find(name, key)
    return found && found.requests >= LIMITS[name].most
      ? refusalOf(metrics, name, found.endsAt - clock.now())
      : null
  }

  /** Counts one request for the key. Logs a warning when the key reaches the limit. */
  function count(name: LimitName, key: string | null): void {
    if (key === null) return
    const keys = counts.get(name) ?? new Map<string, Count>()
    counts.set(name, keys)
    const found = find(name, key)
    // A key with a new window moves to the end of the map.
    if (!found) keys.delete(key)
    const { requests, endsAt } = found ?? { requests: 0, endsAt: clock.now() + LIMITS[name].windowMs }
    keys.set(key, { requests: requests + 1, endsAt })
    if (requests + 1 === LIMITS[name].most) warnOfLimit(log, name, key)
    if (keys.size > MOST_KEYS) keys.delete(keys.keys().next().value ?? '')
  }

  /**
   * Counts one request for the key. Returns a refusal instead if the limit is reached. The caller of a failed request
   * then sends the refusal, and not the failure.
   */
  function take(name: LimitName, key: string | null): Refusal | null {
    const refused = findRefusal(name, key)
    if (!refused) count(name, key)
    return refused
  }

  /**
   * Runs `work`, then counts the request if `isCounted` returns `true` for the result of `work`. Does not run `work`,
   * and resolves with a refusal, if the limit is reached. A call waits while the running calls with the same key could
   * reach the limit, so that parallel calls cannot exceed it, and so that shoppers behind one address are not refused.
   * Only slow calls can exceed a limit per network ({@link SLOW_MS}). The call that began to wait last goes first, so that
   * many waiting calls do not delay the others.
   */
  async function run<Result>(
    name: LimitName,
    key: string | null,
    work: () => Promise<Result>,
    isCounted: (result: Result) => boolean,
  ): Promise<Result | Refusal> {
    if (key === null) return work()
    const id = `${name} ${key}`
    const here = calls.get(id) ?? { places: 0, waiting: [] }
    calls.set(id, here)
    while (left(name, key) > 0 && here.places >= left(name, key)) {
      if (here.waiting.length >= MOST_WAITING) return refusalOf(metrics, name, BUSY_MS)
      await new Promise<void>((resolve) => here.waiting.push(resolve))
    }
    here.places += 1
    // If a window has ended, there are places for several waiting calls.
    here.waiting.pop()?.()
    const working = runCounted()
    const { isByNetwork, windowMs } = LIMITS[name]
    void withTimeout(isByNetwork ? SLOW_MS : windowMs, clock, () => working, SLOW).then(leave, leave)
    return working

    async function runCounted(): Promise<Result | Refusal> {
      const refused = findRefusal(name, key)
      if (refused) return refused
      const result = await work()
      if (isCounted(result)) count(name, key)
      return result
    }

    function leave(): void {
      here.places -= 1
      if (here.places + here.waiting.length === 0) calls.delete(id)
      here.waiting.pop()?.()
    }
  }

  /** Returns the number of further requests that the limit allows for the key. */
  function left(name: LimitName, key: string): number {
    return LIMITS[name].most - (find(name, key)?.requests ?? 0)
  }

  /** Returns the count of a key in its current time window; `null` if the key has no current window. */
  function find(name: LimitName, key: string): Count | null {
    const found = counts.get(name)?.get(key)
    if (!found) return null
    const leftMs = found.endsAt - clock.now()
    // After the system clock jumps back, the end of a window may lie too far in the future.
    return leftMs > 0 && leftMs <= LIMITS[name].windowMs ? found : null
  }
}

function warnOfLimit(log: Log, name: LimitName, key: string): void {
  const { windowMs, isByNetwork } = LIMITS[name]
  const facts = { limit: name, ...(isByNetwork && { network: loggedNetwork(key) }) }
  log.warn(facts, `A limit is reached: further requests are refused for up to ${windowMs / 1_000} seconds.`)
}

function refusalOf(metrics: Metrics, name: LimitName, retryAfterMs: number): Refusal {
  metrics.limited(name)
  const { most, windowMs, detail } = LIMITS[name]
  const retryAfter = Math.ceil(retryAfterMs / 1_000)
  const sentence = `${detail} Try again in ${retryAfter} seconds.`
  const quota = { name, most, windowSeconds: windowMs / 1_000, retryAfter }
  return { ...refuse('too_many_requests', sentence), quota }
}
