/**
 * Decides when status queries may be sent: at most GATEWAY_MAX_RPS requests per second, the most urgent queries first.
 * While the gateway is unavailable, the only queries that are sent are probes.
 *
 * Requests that are not status queries, for example payouts, are counted, too, but never wait.
 */

import type { Breaker, BreakerPolicy } from '../breaker.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { GatewayErrorCode } from './errors.ts'
import type { GatewayAttempt } from './transport.ts'
import { admits, CLOSED, next } from '../breaker.ts'

/**
 * The priorities of status queries, most urgent first. A callback or the return page requests `notified` queries. A
 * page that shows the transaction requests `watched` queries. A query is `due` when its stored time has come.
 */
const PRIORITIES = ['notified', 'watched', 'due'] as const
export type Priority = (typeof PRIORITIES)[number]

interface QueryQueueDeps {
  clock: Clock
  log: Log
  /** The value of GATEWAY_MAX_RPS. */
  perSecond: number
}

interface WaitingQuery {
  priority: Priority
  answer: (isAdmitted: boolean) => void
}

/**
 * The conditions under which the gateway is treated as unavailable, and the times between probes. With frequent probes,
 * payments are confirmed within seconds after an outage. [assumed]
 */
const UNAVAILABLE: BreakerPolicy = {
  failures: 20,
  failureSpanMs: 30_000,
  probe: { baseMs: 1_000, capMs: 4_000 },
  // 6,000 probes take at least six and a half hours.
  longOutage: { probes: 6_000, pauseMs: 60_000 },
  probeTimeoutMs: 4_000,
}
/** The errors that an outage may cause. Any other result shows that the gateway is available. */
const FAILURES: readonly (GatewayErrorCode | null)[] = [
  'gateway_unreachable',
  'gateway_timeout',
  'gateway_unavailable',
]
/**
 * The length of an outage, in milliseconds, after which an error is logged, so that a person looks for the cause.
 * [assumed]
 */
const ALARM_AFTER_MS = 30 * 60_000

export class QueryQueue {
  /** The maximum number of requests to the gateway per second. */
  readonly perSecond: number
  readonly #clock: Clock
  readonly #availability: Availability
  readonly #budget: Budget
  /** The waiting queries by the id of their transaction, in the order of arrival. */
  readonly #waiting = new Map<string, WaitingQuery>()
  /** The id of the transaction whose next query is a probe. */
  #probing: string | null = null
  #isServing = false
  #isStopped = false

  constructor({ clock, log, perSecond }: QueryQueueDeps) {
    this.perSecond = perSecond
    this.#clock = clock
    this.#budget = new Budget(clock, perSecond)
    this.#availability = new Availability(clock, log, () => this.#refuseAll())
  }

  /** Number of waiting queries. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Time of the next probe, in milliseconds since the Unix epoch; `null` while the gateway is available. */
  get probeAt(): number | null {
    return this.#availability.probeAt
  }

  /** Returns what workers may start now: no query, one probe, or any number of queries. */
  admits(): 'none' | 'probe' | 'any' {
    return this.#availability.admits()
  }

  /**
   * Waits until a status query of the transaction may be sent, and then resolves with `true`. The result is `false` if
   * the gateway is unavailable or the process stops. If no wait is needed, returns the boolean without a promise.
   */
  admit(id: string, priority: Priority): boolean | Promise<boolean> {
    const admits = this.admits()
    if (admits === 'probe') this.probe(id)
    if (this.#probing === id) {
      this.#probing = null
      return true
    }
    if (admits === 'none') return false
    if (this.waiting === 0 && this.#budget.take()) return true
    if (this.#isStopped) return false
    const admitted = new Promise<boolean>((answer) => this.#waiting.set(id, { priority, answer }))
    void this.#serve()
    return admitted
  }

  /** Marks the next query of this transaction as a probe, which tests whether the gateway is available again. */
  probe(id: string): void {
    this.#availability.probe()
    this.#budget.count()
    this.#probing = id
  }

  /**
   * Raises the priority of the transaction's waiting query to `priority`. Returns `false` if the transaction has no
   * waiting query.
   */
  promote(id: string, priority: Priority): boolean {
    const query = this.#waiting.get(id)
    if (query && PRIORITIES.indexOf(priority) < PRIORITIES.indexOf(query.priority)) query.priority = priority
    return query !== undefined
  }

  /**
   * Called before each attempt to send a request. Deducts a token from the budget, except for the first attempt of a
   * status query, whose token was already deducted when the query was admitted.
   *
   * Returns `true` if the request may be sent. Returns `false` for a retry while the gateway is unavailable, and for a
   * retry after the process began to stop.
   */
  attempt({ isQuery, isRetry }: GatewayAttempt): boolean {
    if (isRetry && (this.#isStopped || this.probeAt !== null)) return false
    if (isRetry || !isQuery) this.#budget.count()
    return true
  }

  /** Records the result of a request: the error code, or `null` if the request succeeded. */
  report(code: GatewayErrorCode | null): void {
    this.#availability.report(code)
  }

  /**
   * Registers a function that is called after each outage, when the gateway becomes available again. Functions are
   * called in the order of registration.
   */
  onBack(back: () => void): void {
    this.#availability.listeners.push(back)
  }

  /** Refuses all waiting queries. Later queries are refused if they would have to wait. */
  stop(): void {
    this.#isStopped = true
    this.#refuseAll()
  }

  /** Admits waiting queries whenever tokens are available, until no query is waiting. */
  async #serve(): Promise<void> {
    if (this.#isServing) return
    this.#isServing = true
    while (this.waiting > 0) {
      if (this.#budget.take()) this.#admitNext()
      else await this.#clock.sleep(this.#budget.pauseMs)
    }
    this.#isServing = false
  }

  /** Admits the query that waits longest among the most urgent ones. */
  #admitNext(): void {
    const queries = [...this.#waiting]
    for (const priority of PRIORITIES) {
      const found = queries.find(([, query]) => query.priority === priority)
      if (!found) continue
      const [id, { answer }] = found
      this.#waiting.delete(id)
      return answer(true)
    }
  }

  #refuseAll(): void {
    const queries = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { answer } of queries) answer(false)
  }
}

/**
 * The request budget of this process, a token bucket. Each request uses one token. In any second, at most `perSecond`
 * tokens can be used, even if the bucket is full when the second starts.
 */
class Budget {
  readonly #clock: Clock
  /** The maximum number of tokens in the bucket. */
  readonly #most: number
  /** The number of tokens that the bucket gains per millisecond. */
  readonly #gain: number
  #tokens: number
  #filledAt: number

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#most = Math.max(1, perSecond / 10)
    this.#gain = (perSecond - this.#most) / 1_000
    this.#tokens = this.#most
    this.#filledAt = clock.now()
  }

  /** Milliseconds until a token is available. */
  get pauseMs(): number {
    return Math.max(1, Math.ceil((1 - this.#tokens) / this.#gain))
  }

  /** Takes a token. Returns `false` if no token is available. */
  take(): boolean {
    this.#refill()
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** Counts a request that does not wait for a token. */
  count(): void {
    this.#refill()
    this.#tokens = Math.max(0, this.#tokens - 1)
  }

  #refill(): void {
    const now = this.#clock.now()
    // If the system clock has jumped back, no token is gained.
    const gained = Math.max(0, now - this.#filledAt) * this.#gain
    this.#tokens = Math.min(this.#most, this.#tokens + gained)
    this.#filledAt = now
  }
}

/** Determines whether the gateway is available, from the results of requests. */
class Availability {
  /** Called when an outage of the gateway ends. */
  readonly listeners: (() => void)[] = []
  readonly #clock: Clock
  readonly #log: Log
  readonly #becameUnavailable: () => void
  #breaker: Breaker = CLOSED
  #unavailableSince = 0
  #isAlarmed = false

  /** @param becameUnavailable Called when an outage of the gateway begins. */
  constructor(clock: Clock, log: Log, becameUnavailable: () => void) {
    this.#clock = clock
    this.#log = log
    this.#becameUnavailable = becameUnavailable
  }

  get probeAt(): number | null {
    return this.#breaker.state === 'closed' ? null : this.#breaker.probeAt
  }

  admits(): 'none' | 'probe' | 'any' {
    return admits(this.#breaker, this.#clock.now())
  }

  probe(): void {
    this.#breaker = next(this.#breaker, 'probe', this.#clock.now(), UNAVAILABLE)
  }

  report(code: GatewayErrorCode | null): void {
    const now = this.#clock.now()
    const wasUnavailable = this.probeAt !== null
    this.#breaker = next(this.#breaker, FAILURES.includes(code) ? 'failed' : 'succeeded', now, UNAVAILABLE)
    const isUnavailable = this.probeAt !== null
    const ms = now - this.#unavailableSince
    if (!wasUnavailable && isUnavailable) {
      this.#unavailableSince = now
      this.#isAlarmed = false
      this.#log.warn({ code }, 'The gateway does not respond. Status queries pause until a probe succeeds.')
      this.#becameUnavailable()
    } else if (wasUnavailable && !isUnavailable) {
      this.#log.warn({ seconds: Math.round(ms / 1000) }, 'The gateway responds again.')
      for (const back of this.listeners) back()
    } else if (isUnavailable && !this.#isAlarmed && ms >= ALARM_AFTER_MS) {
      this.#isAlarmed = true
      this.#log.error({ code }, 'The gateway has not responded for half an hour: a person should look.')
    }
  }
}
