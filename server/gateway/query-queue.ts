/**
 * Decides when status queries may be sent. Queries are sent within the request budget, the most urgent queries first.
 * While the gateway is unavailable, the only queries that are sent are probes.
 *
 * Requests that are not status queries, for example payouts, also use tokens of the budget, but never wait.
 */

import type { Breaker, BreakerPolicy } from '../breaker.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Priority } from './budget.ts'
import type { GatewayErrorCode } from './errors.ts'
import type { TakeShared, Tokens } from './tokens.ts'
import type { GatewayAttempt } from './transport.ts'
import { admits, CLOSED, next } from '../breaker.ts'
import { nextPriority, PRIORITIES } from './budget.ts'
import { createOwnTokens, createSharedTokens } from './tokens.ts'

export interface QueryQueue {
  /**
   * Waits until a status query of the transaction may be sent, and then resolves with `true`. The result is `false` if
   * the gateway is unavailable or the process stops. If no wait is needed, returns the boolean without a promise.
   */
  admit(id: string, priority: Priority): boolean | Promise<boolean>
  /**
   * Raises the priority of the transaction's waiting query to `priority`. Returns `false` if the transaction has no
   * waiting query.
   */
  promote(id: string, priority: Priority): boolean
  /** Number of waiting queries. */
  readonly waiting: number
  /** The maximum number of requests to the gateway per second. */
  readonly perSecond: number
  /** Returns what workers may start now: no query, one probe, or any number of queries. */
  admits(): 'none' | 'probe' | 'any'
  /** Marks the next query of this transaction as a probe, which tests whether the gateway is available again. */
  probe(id: string): void
  /** Time of the next probe, in milliseconds since the Unix epoch; `null` while the gateway is available. */
  readonly probeAt: number | null
  /**
   * Called before each attempt to send a request. Deducts a token from the budget, except for the first attempt of a
   * status query, whose token was already deducted when the query was admitted.
   *
   * Returns `true` if the request may be sent. Returns `false` for a retry while the gateway is unavailable, and for a
   * retry after the process began to stop.
   */
  attempt(attempt: GatewayAttempt): boolean
  /** Records the result of a request: the error code, or `null` if the request succeeded. */
  report(code: GatewayErrorCode | null): void
  /**
   * Registers a function that is called after each outage, when the gateway becomes available again. Functions are
   * called in the order of registration.
   */
  onBack(back: () => void): void
  /** Refuses all waiting queries. Later queries are refused if they would have to wait. */
  stop(): void
}

interface QueryQueueDeps {
  clock: Clock
  log: Log
  /** The value of GATEWAY_MAX_RPS. */
  perSecond: number
  /**
   * Takes tokens from the budget that this process shares with other processes. Default: this process has its own
   * budget.
   */
  takeShared?: TakeShared | undefined
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

type Answer = (isAdmitted: boolean) => void

export function createQueryQueue(deps: QueryQueueDeps): QueryQueue {
  return new PacedQueries(deps)
}

class PacedQueries implements QueryQueue {
  readonly perSecond: number
  readonly #availability: Availability
  readonly #waiting: Record<Priority, Map<string, Answer>> = {
    notified: new Map(),
    watched: new Map(),
    due: new Map(),
  }
  readonly #tokens: Tokens
  /** The id of the transaction whose next query is a probe. */
  #probing: string | null = null
  #served = 0
  #isServing = false
  #isStopped = false

  constructor({ clock, log, perSecond, takeShared }: QueryQueueDeps) {
    this.perSecond = perSecond
    this.#tokens = takeShared
      ? createSharedTokens(clock, perSecond, takeShared)
      : createOwnTokens(clock, perSecond)
    this.#availability = new Availability(clock, log, () => this.#refuseAll())
  }

  get waiting(): number {
    return PRIORITIES.reduce((sum, priority) => sum + this.#waiting[priority].size, 0)
  }

  get probeAt(): number | null {
    return this.#availability.probeAt
  }

  admits(): 'none' | 'probe' | 'any' {
    return this.#availability.admits()
  }

  admit(id: string, priority: Priority): boolean | Promise<boolean> {
    const admits = this.admits()
    if (admits === 'probe') this.probe(id)
    if (this.#probing === id) {
      this.#probing = null
      return true
    }
    if (admits === 'none') return false
    if (this.waiting === 0 && this.#tokens.takeNow()) return true
    if (this.#isStopped) return false
    const admitted = new Promise<boolean>((resolve) => this.#waiting[priority].set(id, resolve))
    void this.#serve()
    return admitted
  }

  probe(id: string): void {
    this.#availability.probe()
    this.#tokens.count()
    this.#probing = id
  }

  promote(id: string, priority: Priority): boolean {
    const from = PRIORITIES.find((each) => this.#waiting[each].has(id))
    const answer = from && this.#waiting[from].get(id)
    if (!from || !answer) return false
    if (PRIORITIES.indexOf(priority) < PRIORITIES.indexOf(from)) {
      this.#waiting[from].delete(id)
      this.#waiting[priority].set(id, answer)
    }
    return true
  }

  attempt({ isQuery, isRetry }: GatewayAttempt): boolean {
    if (isRetry && (this.#isStopped || this.probeAt !== null)) return false
    if (isRetry || !isQuery) this.#tokens.count()
    return true
  }

  report(code: GatewayErrorCode | null): void {
    this.#availability.report(code)
  }

  onBack(back: () => void): void {
    this.#availability.listeners.push(back)
  }

  stop(): void {
    this.#isStopped = true
    this.#refuseAll()
  }

  /** Admits waiting queries whenever tokens are available, until no query is waiting. */
  async #serve(): Promise<void> {
    if (this.#isServing) return
    this.#isServing = true
    while (this.waiting > 0) {
      const taken = await this.#tokens.take(this.waiting)
      for (let query = 0; query < taken; query++) this.#admitNext()
    }
    this.#isServing = false
  }

  #admitNext(): void {
    const priority = nextPriority((each) => this.#waiting[each].size > 0, this.#served)
    this.#served += 1
    if (!priority) return
    for (const [id, answer] of this.#waiting[priority]) {
      this.#waiting[priority].delete(id)
      return answer(true)
    }
  }

  #refuseAll(): void {
    for (const priority of PRIORITIES) {
      const answers = [...this.#waiting[priority].values()]
      this.#waiting[priority].clear()
      for (const answer of answers) answer(false)
    }
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
