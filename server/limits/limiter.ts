/**
 * Limits requests. Each limit counts certain requests, such as the failed requests from one client network, within a
 * time window. When the count reaches the limit, further requests are refused with `too_many_requests` until the window
 * ends.
 *
 * The limits per client network count only failed requests, because mobile operators put thousands of shoppers behind
 * one IP address.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Refusal } from '../refusal.ts'
import type { Count, Counts } from './counts.ts'
import type { SharedCount, SharedCounts } from './shared-counts.ts'
import { refuse } from '../refusal.ts'
import { createCounts } from './counts.ts'
import { loggedNetwork } from './network.ts'
import { createTurns } from './turns.ts'

interface Limit {
  most: number
  windowMs: number
  /**
   * Whether the limit counts requests per client network. If `true`, the warning in the log contains the network with a
   * shorter prefix.
   */
  isByNetwork: boolean
  /**
   * The number of requests with the same key in a time window from which this process also counts them in the store.
   * With 2, a key with a single request causes no SQL statement.
   */
  sharedFrom: 1 | 2
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
    sharedFrom: 1,
    detail: 'Too many requests with a wrong MERCHANT_API_KEY came from this address.',
  },
  starts: {
    most: 60,
    windowMs: MINUTE,
    isByNetwork: false,
    sharedFrom: 2,
    detail: 'The checkout of this order was started too often from this address.',
  },
  numbers: {
    most: 20,
    windowMs: 10 * MINUTE,
    isByNetwork: false,
    sharedFrom: 2,
    detail: 'Too many checkouts were started for this phone number.',
  },
  prompts: {
    most: 3,
    windowMs: 10 * MINUTE,
    isByNetwork: false,
    sharedFrom: 1,
    detail: 'This phone was asked too often.',
  },
  orders: {
    most: 30,
    windowMs: MINUTE,
    isByNetwork: true,
    sharedFrom: 1,
    detail: 'Too many requests for orders that do not exist came from this address.',
  },
  lookups: {
    most: 300,
    windowMs: MINUTE,
    isByNetwork: true,
    sharedFrom: 1,
    detail: 'Too many lookups of orders for this address have failed.',
  },
  checkouts: {
    most: 30,
    windowMs: MINUTE,
    isByNetwork: true,
    sharedFrom: 1,
    detail: 'Too many requests for checkouts that do not exist came from this address.',
  },
  callbacks: {
    most: 30,
    windowMs: MINUTE,
    isByNetwork: true,
    sharedFrom: 1,
    detail: 'Too many callbacks with a wrong address or wrong credentials came from this address.',
  },
} as const satisfies Record<string, Limit>
export type LimitName = keyof typeof LIMITS

export interface Limiter {
  /**
   * Returns a refusal if the limit is reached, otherwise `null`.
   *
   * @param key Identifies whose requests are counted, such as a client network; `null` if the limit does not apply.
   */
  findRefusal(name: LimitName, key: string | null): Refusal | null
  /** Counts one request for the key. Logs a warning when the key reaches the limit. */
  count(name: LimitName, key: string | null): void
  /**
   * Counts one failed request for the key. Returns a refusal instead if the limit is reached. The caller then sends the
   * refusal, and not the failure.
   */
  countFailure(name: LimitName, key: string | null): Refusal | null
  /**
   * Counts one request for the key, together with the other processes, before the request is served. Resolves with a
   * refusal if the limit is exceeded. Unlike the other functions, waits for the store, so that no two processes admit
   * the same last request.
   */
  take(name: LimitName, key: string): Promise<Refusal | null>
  /**
   * Runs `work`, then counts the request if `isCounted` returns `true` for the result of `work`. Does not run `work`,
   * and resolves with a refusal, if the limit is reached. Parallel calls with the same key wait for each other if all
   * of them together could exceed the limit.
   */
  run<Result>(
    name: LimitName,
    key: string | null,
    work: () => Promise<Result>,
    isCounted: (result: Result) => boolean,
  ): Promise<Result | Refusal>
}

interface LimiterDeps {
  clock: Clock
  log: Log
  metrics: Metrics
  /** The counts that all processes share. Absent if the store serves a single process. */
  sharedCounts?: SharedCounts | undefined
}

/**
 * Milliseconds after which a client may repeat a request that was refused because too many parallel requests with the
 * same key were waiting.
 */
const BUSY_MS = 1_000

export function createLimiter({ clock, log, metrics, sharedCounts }: LimiterDeps): Limiter {
  const countsOf = createCountsOfAll()
  const turns = createTurns()
  return { findRefusal, count, countFailure, take, run }

  function findRefusal(name: LimitName, key: string | null): Refusal | null {
    const found = key === null ? null : find(name, key)
    return found && found.count >= LIMITS[name].most
      ? refusalOf(metrics, name, found.endsAt - clock.now())
      : null
  }

  function count(name: LimitName, key: string | null): void {
    if (key === null) return
    const { windowMs, sharedFrom } = LIMITS[name]
    const id = `${name} ${key}`
    const added = countsOf[name].add(id, windowMs, clock.now())
    warnIfReached(log, name, key, added.count - 1, added.count)
    if (added.count < sharedFrom) return
    const requests = added.count === sharedFrom ? sharedFrom : 1
    sharedCounts?.add(id, requests, windowMs, (shared) => learn(name, key, shared))
  }

  function countFailure(name: LimitName, key: string | null): Refusal | null {
    const refused = findRefusal(name, key)
    if (!refused) count(name, key)
    return refused
  }

  async function take(name: LimitName, key: string): Promise<Refusal | null> {
    const refused = findRefusal(name, key)
    if (refused) return refused
    const { most, windowMs } = LIMITS[name]
    const id = `${name} ${key}`
    const added = countsOf[name].add(id, windowMs, clock.now())
    warnIfReached(log, name, key, added.count - 1, added.count)
    const shared = await sharedCounts?.addNow(id, windowMs)
    if (!shared || shared.count <= added.count) return null
    learn(name, key, shared)
    return shared.count > most ? refusalOf(metrics, name, shared.leftMs) : null
  }

  /** Replaces the count of this process by the shared count if the shared count is higher. */
  function learn(name: LimitName, key: string, { count, leftMs }: SharedCount): void {
    const known = find(name, key)?.count ?? 0
    if (count <= known) return
    const endsAt = clock.now() + Math.min(leftMs, LIMITS[name].windowMs)
    countsOf[name].set(`${name} ${key}`, { count, endsAt })
    warnIfReached(log, name, key, known, count)
  }

  async function run<Result>(
    name: LimitName,
    key: string | null,
    work: () => Promise<Result>,
    isCounted: (result: Result) => boolean,
  ): Promise<Result | Refusal> {
    if (key === null) return work()
    const id = `${name} ${key}`
    if (!(await turns.enter(id, () => left(name, key))))
      return findRefusal(name, key) ?? refusalOf(metrics, name, BUSY_MS)
    try {
      const result = await work()
      if (isCounted(result)) count(name, key)
      return result
    } finally {
      turns.leave(id, left(name, key))
    }
  }

  /** Returns the number of further requests that the limit allows for the key. */
  function left(name: LimitName, key: string): number {
    return LIMITS[name].most - (find(name, key)?.count ?? 0)
  }

  function find(name: LimitName, key: string): Count | null {
    return countsOf[name].find(`${name} ${key}`, LIMITS[name].windowMs, clock.now())
  }
}

function warnIfReached(log: Log, name: LimitName, key: string, before: number, count: number): void {
  const { most, windowMs, isByNetwork } = LIMITS[name]
  if (before >= most || count < most) return
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

/**
 * Creates separate counts for each limit, so that a flood of requests that one limit counts deletes no counts of the
 * other limits.
 */
function createCountsOfAll(): Record<LimitName, Counts> {
  return {
    api_keys: createCounts(),
    starts: createCounts(),
    numbers: createCounts(),
    prompts: createCounts(),
    orders: createCounts(),
    lookups: createCounts(),
    checkouts: createCounts(),
    callbacks: createCounts(),
  }
}
