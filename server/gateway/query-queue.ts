/**
 * Decides when status queries may be sent: within the budget, the most urgent first, and only probes while the gateway
 * is away. Requests that do not wait (new transactions, service confirmations, retries) are only counted.
 */

import type { Breaker, BreakerPolicy } from '../breaker.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Budget, Priority } from './budget.ts'
import type { GatewayErrorCode } from './errors.ts'
import type { GatewayAttempt } from './transport.ts'
import { admits, CLOSED, next } from '../breaker.ts'
import { count, fullBudget, nextPriority, PRIORITIES, readyAt, take } from './budget.ts'

export interface QueryQueue {
  /**
   * Waits until the query of a transaction may be sent. `false`: it may not, because the gateway is away or the process
   * stops. Returns a boolean if there is nothing to wait for.
   */
  admit(id: string, priority: Priority): boolean | Promise<boolean>
  /** Makes a waiting query more urgent. Returns whether the transaction's query waits. */
  promote(id: string, priority: Priority): boolean
  /** How many queries wait. */
  readonly waiting: number
  /** The most queries in one second. */
  readonly perSecond: number
  /** How many queries workers may start: none, one probe, or any number. */
  admits(): 'none' | 'probe' | 'any'
  /** Lets the query of this transaction probe the gateway. */
  probe(id: string): void
  /** When the gateway is probed next, in milliseconds since the Unix epoch; `null` unless it is away. */
  readonly probeAt: number | null
  /** Counts an attempt that does not wait. Returns whether it may be made: no retry while the gateway is away. */
  attempt(attempt: GatewayAttempt): boolean
  /** Reports the result of a request: `null` is a success. */
  report(code: GatewayErrorCode | null): void
  /** Calls `back` when the gateway is back, in the order of the calls. */
  onBack(back: () => void): void
  /** Admits no query that would have to wait. */
  stop(): void
}

interface QueryQueueDeps {
  clock: Clock
  log: Log
  /** GATEWAY_MAX_RPS. */
  perSecond: number
}

/**
 * [assumed] When the gateway counts as away. The pauses between probes are short, so that a shopper's payment is
 * confirmed within seconds of its return.
 */
const AWAY: BreakerPolicy = {
  failures: 20,
  fewOverMs: 30_000,
  probe: { baseMs: 1_000, capMs: 4_000 },
  // After about six hours.
  longOutage: { probes: 6_000, pauseMs: 60_000 },
  probeTimeoutMs: 4_000,
}
/** Errors after which the gateway may be away. Any other response shows that it is there. */
const FAILURES: readonly (GatewayErrorCode | null)[] = [
  'gateway_unreachable',
  'gateway_timeout',
  'gateway_unavailable',
]
/** [assumed] An absence of half an hour needs a person. */
const ALARM_AFTER_MS = 30 * 60_000

type Answer = (isAdmitted: boolean) => void

export function createQueryQueue(deps: QueryQueueDeps): QueryQueue {
  return new PacedQueries(deps)
}

class PacedQueries implements QueryQueue {
  readonly perSecond: number
  readonly #clock: Clock
  readonly #availability: Availability
  readonly #waiting: Record<Priority, Map<string, Answer>> = {
    notified: new Map(),
    watched: new Map(),
    due: new Map(),
  }
  #budget: Budget
  /** The transaction whose query probes the gateway. */
  #probing: string | null = null
  #served = 0
  #isServing = false
  #isStopped = false

  constructor({ clock, log, perSecond }: QueryQueueDeps) {
    this.perSecond = perSecond
    this.#clock = clock
    this.#budget = fullBudget(perSecond, clock.now())
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
    if (this.waiting === 0 && this.#takeToken()) return true
    if (this.#isStopped) return false
    const admitted = new Promise<boolean>((resolve) => this.#waiting[priority].set(id, resolve))
    void this.#serve()
    return admitted
  }

  probe(id: string): void {
    this.#availability.probe()
    this.#count()
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
    if (isRetry || !isQuery) this.#count()
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

  /** Admits the waiting queries one by one, as the budget allows. */
  async #serve(): Promise<void> {
    if (this.#isServing) return
    this.#isServing = true
    while (this.waiting > 0) {
      const pause = readyAt(this.#budget, this.perSecond) - this.#clock.now()
      if (this.#takeToken()) this.#admitNext()
      else await this.#clock.sleep(Math.max(1, pause))
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

  #takeToken(): boolean {
    const left = take(this.#budget, this.perSecond, this.#clock.now())
    this.#budget = left ?? this.#budget
    return left !== null
  }

  #count(): void {
    this.#budget = count(this.#budget, this.perSecond, this.#clock.now())
  }

  #refuseAll(): void {
    for (const priority of PRIORITIES) {
      const answers = [...this.#waiting[priority].values()]
      this.#waiting[priority].clear()
      for (const answer of answers) answer(false)
    }
  }
}

/** Whether the gateway is away, by the results of the requests to it. */
class Availability {
  readonly listeners: (() => void)[] = []
  readonly #clock: Clock
  readonly #log: Log
  readonly #goneAway: () => void
  #breaker: Breaker = CLOSED
  #awaySince = 0
  #isAlarmed = false

  /** @param goneAway Called when the gateway goes away. The listeners are called when it is back. */
  constructor(clock: Clock, log: Log, goneAway: () => void) {
    this.#clock = clock
    this.#log = log
    this.#goneAway = goneAway
  }

  get probeAt(): number | null {
    return this.#breaker.state === 'closed' ? null : this.#breaker.probeAt
  }

  admits(): 'none' | 'probe' | 'any' {
    return admits(this.#breaker, this.#clock.now())
  }

  probe(): void {
    this.#breaker = next(this.#breaker, 'probe', this.#clock.now(), AWAY)
  }

  report(code: GatewayErrorCode | null): void {
    const now = this.#clock.now()
    const wasAway = this.probeAt !== null
    this.#breaker = next(this.#breaker, FAILURES.includes(code) ? 'failed' : 'succeeded', now, AWAY)
    const isAway = this.probeAt !== null
    const ms = now - this.#awaySince
    if (!wasAway && isAway) {
      this.#awaySince = now
      this.#isAlarmed = false
      this.#log.warn({ code }, 'The gateway does not respond. Status queries pause until a probe succeeds.')
      this.#goneAway()
    } else if (wasAway && !isAway) {
      this.#log.warn({ seconds: Math.round(ms / 1000) }, 'The gateway responds again.')
      for (const back of this.listeners) back()
    } else if (isAway && !this.#isAlarmed && ms >= ALARM_AFTER_MS) {
      this.#isAlarmed = true
      this.#log.error({ code }, 'The gateway has not responded for half an hour: a person should look.')
    }
  }
}
