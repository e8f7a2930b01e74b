/**
 * Decides when status queries may be sent: at most GATEWAY_MAX_RPS requests per second, the most urgent queries first.
 *
 * Each family of endpoints is available or unavailable by itself, so that one failing endpoint does not delay the
 * queries of other families. While a family is unavailable, its queries are refused, except for one probe at a time. The
 * probe is the most urgent of the refused queries.
 *
 * While the gateway asks for less (429 with `Retry-After`), the queries of the family rest, and then begin with a probe.
 *
 * Requests that are not status queries, for example payouts, count towards the budget, but never wait. Their results do
 * not count, because they do not show whether queries are answered. If the gateway answers one of them with a 429, the
 * queries of its family rest.
 */

import { LONGEST_PAUSE_MS } from '../work/breaker.ts'
import { FamilyState } from './family-state.ts'
import { PRIORITIES, urgencyOf } from './query-priority.ts'
import { RequestBudget } from './request-budget.ts'

import type { Family } from '../contract/endpoints.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../work/clock.ts'
import type { Endpoint } from './endpoint.ts'
import type { GatewayErrorCode } from './errors.ts'
import type { Priority, Urgency } from './query-priority.ts'
import type { GatewayAttempt, GatewayExchange } from './transport.ts'

interface QueryQueueDeps {
  clock: Clock
  log: Log
  metrics?:
    | { exchange(facts: GatewayExchange): void; breaker(target: 'gateway', isOpen: boolean): void }
    | undefined
  /** The value of GATEWAY_MAX_RPS. */
  perSecond: number
}

/** A query that waits for the request budget. */
interface WaitingQuery {
  urgency: Urgency
  family: Family
  /** Whether the query is about a stored transaction, which may be queried later as a probe. */
  isStored: boolean
  /** Resolves the promise that `admit` returned. */
  answer: (isAdmitted: boolean) => void
}

/** The errors that an outage may cause. Any other result shows that the gateway is available. */
const FAILURES: readonly (GatewayErrorCode | null)[] = [
  'gateway_unreachable',
  'gateway_timeout',
  'gateway_unavailable',
]

export class QueryQueue {
  /** The maximum number of requests to the gateway per second. */
  readonly perSecond: number
  readonly #deps: QueryQueueDeps
  readonly #budget: RequestBudget
  readonly #families: Partial<Record<Family, FamilyState>> = {}
  readonly #backListeners: ((notified: readonly string[]) => void)[] = []
  /** The waiting queries by the id of their transaction, in the order of arrival. */
  readonly #waitingQueries = new Map<string, WaitingQuery>()
  /** Number of queries so far about transactions that are not stored, from which their ids are made. */
  #unstoredCount = 0
  #isServing = false
  #isStopped = false

  constructor(deps: QueryQueueDeps) {
    this.#deps = deps
    this.perSecond = deps.perSecond
    this.#budget = new RequestBudget(deps.clock, deps.perSecond)
  }

  /** Called by the gateway's client after each exchange. */
  readonly onExchange = (facts: GatewayExchange, endpoint: Endpoint<unknown>): void => {
    const { log, metrics } = this.#deps
    metrics?.exchange(facts)
    log.debug(facts, 'Exchange with the gateway')
    if (facts.wait_ms === null) {
      this.report(endpoint, facts.code)
    } else {
      this.#rest(endpoint, facts.wait_ms)
    }

    metrics?.breaker('gateway', this.probeAt !== null)
  }

  /** The number of queries that wait for the request budget. */
  get waitingCount(): number {
    return this.#waitingQueries.size
  }

  /**
   * The time of the next probe, in milliseconds since the Unix epoch. `null` while every family is available. `Infinity` if
   * no probe is scheduled, because the time for one has come: the next query of an unavailable family is the probe.
   */
  get probeAt(): number | null {
    const now = this.#deps.clock.now()
    const times = Object.values(this.#families)
      .map((familyState) => familyState.probeAt)
      .filter((probeAt) => probeAt !== null)
    if (times.length === 0) {
      return null
    }
    return Math.min(...times.map((probeAt) => (probeAt > now ? probeAt : Infinity)))
  }

  /**
   * Waits until a status query of the transaction may be sent, and then resolves with `true`. The result is `false` if
   * the family is unavailable or the process stops. If no wait is needed, returns the boolean without a promise.
   */
  admit(id: string, priority: Priority, family: Family): boolean | Promise<boolean> {
    const urgency = urgencyOf(priority)
    const familyState = this.#stateOf(family)
    const admitted = this.#admits(familyState)
    if (admitted === 'probe') {
      this.#startProbe(familyState, id)
      return true
    }
    // The query was chosen as a probe before.
    if (priority === 'probe') {
      return true
    }
    if (admitted === 'none') {
      familyState.remember(id, urgency)
      return false
    }
    return this.#await(id, { urgency, family, isStored: true })
  }

  /**
   * Like `admit`, for a query about a transaction that is not stored. It is no probe, and is not remembered if it is
   * refused.
   */
  admitUnstored(family: Family): boolean | Promise<boolean> {
    if (this.#admits(this.#stateOf(family)) !== 'any') {
      return false
    }

    this.#unstoredCount += 1
    const id = `not stored: ${this.#unstoredCount}`
    return this.#await(id, { urgency: urgencyOf('notified'), family, isStored: false })
  }

  /**
   * Chooses the next probe of each unavailable family, if its time has come. Returns the ids of the transactions, whose
   * next query is admitted.
   */
  takeProbes(): string[] {
    const ids: string[] = []
    for (const familyState of Object.values(this.#families)) {
      const id = familyState.nextProbe()
      if (id !== undefined && this.#admits(familyState) === 'probe') {
        this.#startProbe(familyState, id)
        ids.push(id)
      }
    }

    return ids
  }

  /**
   * Called after a query that failed or was refused. Returns whether its next query waits until the family is available
   * again; until then, the transaction is only queried as a probe.
   */
  postpone(id: string, family: Family): boolean {
    const familyState = this.#stateOf(family)
    if (this.#admits(familyState) === 'any') {
      return false
    }

    familyState.rememberFailed(id)
    return true
  }

  /**
   * Raises the priority of the transaction's waiting query to `priority`. Returns `false` if the transaction has no
   * waiting query.
   */
  promote(id: string, priority: Priority): boolean {
    const query = this.#waitingQueries.get(id)
    if (query) {
      query.urgency = Math.min(query.urgency, urgencyOf(priority))
    }
    return query !== undefined
  }

  /**
   * Called before each attempt to send a request. Counts it in the budget, except for the first attempt of a status
   * query, which was counted when the query was admitted.
   *
   * Returns `true` if the request may be sent. Returns `false` for a retry while the family is unavailable, and for a
   * retry after the process began to stop.
   */
  readonly onAttempt = ({ family, isQuery, isRetry }: GatewayAttempt): boolean => {
    if (isRetry) {
      const isUnavailable = family !== null && this.#admits(this.#stateOf(family)) !== 'any'
      if (this.#isStopped || isUnavailable) {
        return false
      }
    }

    if (isRetry || !isQuery) {
      this.#budget.count()
    }
    return true
  }

  /**
   * Records the result of a request: the error code, or `null` if the request succeeded. Only status queries count, and
   * the failures of requests for the access tokens that they need.
   */
  report({ family, token, unknownCode }: Endpoint<unknown>, code: GatewayErrorCode | null): void {
    const isStatusQuery = unknownCode !== null
    const isFailedAuthentication = token === null && code !== null
    if (family === null || !(isStatusQuery || isFailedAuthentication)) {
      return
    }

    const familyState = this.#stateOf(family)
    const now = this.#deps.clock.now()
    // While the family rests, an answer is one to a query that was sent before the gateway asked to wait.
    if (familyState.isResting(now)) {
      return
    }

    const wasAvailable = familyState.isAvailable
    familyState.record(FAILURES.includes(code) ? 'failed' : 'succeeded', now)
    const { isAvailable } = familyState
    if (wasAvailable && isAvailable) {
      return
    }

    const { log } = this.#deps
    if (wasAvailable) {
      log.warn({ family, code }, 'The gateway does not respond. Status queries pause until a probe succeeds.')
      this.#refuseWaiting()
    } else if (isAvailable) {
      const seconds = Math.round(familyState.outageMs(now) / 1000)
      log.warn({ family, seconds }, 'The gateway responds again.')
      const notified = familyState.notifiedIds()
      this.#families[family] = new FamilyState()
      for (const listener of this.#backListeners) {
        listener(notified)
      }
    } else if (familyState.takeAlarm(now)) {
      log.error({ family, code }, 'The gateway has not responded for half an hour: a person should look.')
    }
  }

  /**
   * Registers a function that is called when a family is available again, with the ids of the transactions whose
   * callbacks arrived meanwhile. Functions are called in the order of registration.
   */
  onBack(listener: (notified: readonly string[]) => void): void {
    this.#backListeners.push(listener)
  }

  /** Refuses all waiting queries. Later queries are refused if they would have to wait. */
  stop(): void {
    this.#isStopped = true
    this.#refuseWaiting()
  }

  /** Lets the queries of a family rest for as long as the gateway asks, but at most a minute. [assumed] */
  #rest({ family }: Endpoint<unknown>, waitMs: number): void {
    if (family === null) {
      return
    }

    const familyState = this.#stateOf(family)
    const now = this.#deps.clock.now()
    const restMs = Math.min(waitMs, LONGEST_PAUSE_MS)
    const wasAvailable = familyState.isAvailable
    familyState.restUntil(now + restMs, now)
    if (wasAvailable) {
      this.#deps.log.warn(
        { family, seconds: restMs / 1000 },
        'The gateway asks to wait. Status queries pause.',
      )
      this.#refuseWaiting()
    }
  }

  /** Waits for the request budget, behind the queries that wait already. */
  #await(id: string, query: Omit<WaitingQuery, 'answer'>): boolean | Promise<boolean> {
    if (this.waitingCount === 0 && this.#budget.take()) {
      return true
    }
    if (this.#isStopped) {
      return false
    }

    const isAdmitted = new Promise<boolean>((answer) => this.#waitingQueries.set(id, { ...query, answer }))
    void this.#serve()
    return isAdmitted
  }

  /** Admits waiting queries whenever the budget allows, until no query is waiting. */
  async #serve(): Promise<void> {
    if (this.#isServing) {
      return
    }

    this.#isServing = true
    while (this.waitingCount > 0) {
      if (this.#budget.take()) {
        this.#admitNext()
      } else {
        await this.#deps.clock.sleep(this.#budget.pauseMs())
      }
    }

    this.#isServing = false
  }

  #admitNext(): void {
    const id = mostUrgent(this.#waitingQueries)
    if (id === undefined) {
      return
    }

    this.#waitingQueries.get(id)?.answer(true)
    this.#waitingQueries.delete(id)
  }

  /** Refuses the waiting queries of unavailable families; all queries if the process stops. */
  #refuseWaiting(): void {
    for (const [id, { urgency, family, isStored, answer }] of this.#waitingQueries) {
      if (!this.#isStopped && this.#admits(this.#stateOf(family)) === 'any') {
        continue
      }

      this.#waitingQueries.delete(id)
      if (isStored) {
        this.#stateOf(family).remember(id, urgency)
      }

      answer(false)
    }
  }

  #stateOf(family: Family): FamilyState {
    return (this.#families[family] ??= new FamilyState())
  }

  #admits(familyState: FamilyState): 'none' | 'probe' | 'any' {
    return familyState.admits(this.#deps.clock.now())
  }

  #startProbe(familyState: FamilyState, id: string): void {
    familyState.startProbe(id, this.#deps.clock.now())
    this.#budget.count()
  }
}

/** Returns the id of the query that was added first among the most urgent ones. */
function mostUrgent(queries: ReadonlyMap<string, WaitingQuery>): string | undefined {
  for (const level of PRIORITIES.keys()) {
    for (const [id, { urgency }] of queries) {
      if (urgency === level) {
        return id
      }
    }
  }

  return undefined
}
