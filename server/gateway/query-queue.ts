/**
 * Decides when status queries may be sent: at most GATEWAY_MAX_RPS requests per second, the most urgent queries first.
 *
 * Each family of endpoints is available or unavailable by itself, so that one failing endpoint does not delay the
 * queries of other families. While a family is unavailable, its queries are refused, but for one probe at a time, which
 * is the most urgent of them.
 *
 * While the gateway asks for less (429 with `Retry-After`), the queries of the family rest, and then begin with a probe.
 *
 * Requests that are not status queries, for example payouts, count towards the budget, but never wait. Their results do
 * not show whether queries are answered, and do not count; what they are asked to wait, the queries wait.
 */

import { admits, CLOSED, LONGEST_PAUSE_MS, next, rest } from '../work/breaker.ts'

import type { Family } from '../contract/endpoints.ts'
import type { Log } from '../log/log.ts'
import type { Breaker, BreakerPolicy } from '../work/breaker.ts'
import type { Clock } from '../work/clock.ts'
import type { GatewayErrorCode } from './errors.ts'
import type { GatewayAttempt, GatewayExchange, Endpoint } from './transport.ts'

/**
 * The priorities of status queries, most urgent first. A callback or the return page requests `notified` queries. A
 * page that shows the transaction requests `watched` queries. A query is `due` when its stored time has come. A `probe`
 * tests whether an unavailable family is available again.
 */
const PRIORITIES = ['notified', 'watched', 'due', 'probe'] as const
export type Priority = (typeof PRIORITIES)[number]
const NOTIFIED = PRIORITIES.indexOf('notified')
const DUE = PRIORITIES.indexOf('due')
/** A query that has failed is as urgent as a probe. */
const FAILED = PRIORITIES.indexOf('probe')

interface QueryQueueDeps {
  clock: Clock
  log: Log
  metrics?:
    | { exchange(facts: GatewayExchange): void; breaker(target: 'gateway', isOpen: boolean): void }
    | undefined
  /** The value of GATEWAY_MAX_RPS. */
  perSecond: number
}

interface WaitingQuery {
  /** The index of the priority in {@link PRIORITIES}. */
  urgency: number
  family: Family
  /** Whether the query is about a stored transaction, which may be queried later as a probe. */
  isStored: boolean
  answer: (isAdmitted: boolean) => void
}

/**
 * The conditions under which a family is treated as unavailable, and the times between probes. With frequent probes,
 * payments are confirmed within seconds after an outage, however long it was. [assumed]
 */
const UNAVAILABLE: BreakerPolicy = {
  failures: 20,
  failureSpanMs: 30_000,
  probe: { baseMs: 1_000, capMs: 4_000 },
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
/** The maximum number of queries that a family remembers. Each higher urgency may exceed it by as many. */
const MAX_REMEMBERED = 1_000

export class QueryQueue {
  /** The maximum number of requests to the gateway per second. */
  readonly perSecond: number
  readonly #deps: QueryQueueDeps
  readonly #budget: ReturnType<typeof createBudget>
  readonly #families: Partial<Record<Family, FamilyState>> = {}
  readonly #listeners: ((notified: readonly string[]) => void)[] = []
  /** The waiting queries by the id of their transaction, in the order of arrival. */
  readonly #waiting = new Map<string, WaitingQuery>()
  /** Number of queries about transactions that are not stored. */
  #unstored = 0
  #isServing = false
  #isStopped = false

  constructor(deps: QueryQueueDeps) {
    this.#deps = deps
    this.perSecond = deps.perSecond
    this.#budget = createBudget(deps.clock, deps.perSecond)
  }

  /** Receives each exchange of the client, as `onExchange`. */
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

  /** Number of waiting queries. */
  get waiting(): number {
    return this.#waiting.size
  }

  /**
   * Time of the next probe, in milliseconds since the Unix epoch. `null` while every family is available; `Infinity` if
   * the next query is a probe, whenever it comes.
   */
  get probeAt(): number | null {
    const now = this.#deps.clock.now()
    const away = Object.values(this.#families).flatMap(({ breaker }) => ('probeAt' in breaker ? breaker : []))
    return away.length === 0
      ? null
      : Math.min(...away.map(({ probeAt }) => (probeAt > now ? probeAt : Infinity)))
  }

  /**
   * Waits until a status query of the transaction may be sent, and then resolves with `true`. The result is `false` if
   * the family is unavailable or the process stops. If no wait is needed, returns the boolean without a promise.
   */
  admit(id: string, priority: Priority, family: Family): boolean | Promise<boolean> {
    const urgency = PRIORITIES.indexOf(priority)
    const familyState = this.#stateOf(family)
    const admitted = this.#admits(familyState)
    if (admitted === 'probe') {
      this.#probe(familyState, id)
    }
    if (admitted === 'probe' || priority === 'probe') {
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

    this.#unstored += 1
    const urgency = PRIORITIES.indexOf('notified')
    return this.#await(`not stored: ${this.#unstored}`, { urgency, family, isStored: false })
  }

  /**
   * Chooses the next probe of each unavailable family, if its time has come. Returns the ids of the transactions, whose
   * next query is admitted. The newest query that a callback or a page has requested comes first, then the newest that
   * was due: the gateway may answer these even if it fails others. Queries that have failed come last, in turn.
   */
  takeProbes(): string[] {
    return Object.values(this.#families).flatMap((familyState) => {
      const all = [...familyState.refused]
      const [id] =
        all.findLast(([, urgency]) => urgency < DUE) ??
        all.findLast(([, urgency]) => urgency === DUE) ??
        all[0] ??
        []
      if (id === undefined || this.#admits(familyState) !== 'probe') {
        return []
      }

      this.#probe(familyState, id)
      return id
    })
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

    familyState.remember(id, FAILED)
    return true
  }

  /**
   * Raises the priority of the transaction's waiting query to `priority`. Returns `false` if the transaction has no
   * waiting query.
   */
  promote(id: string, priority: Priority): boolean {
    const query = this.#waiting.get(id)
    if (query) {
      query.urgency = Math.min(query.urgency, PRIORITIES.indexOf(priority))
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
    const isAway = () => family !== null && this.#admits(this.#stateOf(family)) !== 'any'
    if (isRetry && (this.#isStopped || isAway())) {
      return false
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
    const isFailedAuthentication = token === null && code !== null
    if (family === null || (unknownCode === null && !isFailedAuthentication)) {
      return
    }

    const familyState = this.#stateOf(family)
    const now = this.#deps.clock.now()
    // The answer to a query that was sent before the gateway asked to wait.
    if (familyState.isResting(now)) {
      return
    }

    const wasClosed = familyState.breaker.state === 'closed'
    const event = FAILURES.includes(code) ? 'failed' : 'succeeded'
    familyState.breaker = next(familyState.breaker, event, now, UNAVAILABLE)
    const isClosed = familyState.breaker.state === 'closed'
    const facts = { family, code }
    if (wasClosed && !isClosed) {
      Object.assign(familyState, { since: now, alarmAt: now + ALARM_AFTER_MS })
      this.#deps.log.warn(facts, 'The gateway does not respond. Status queries pause until a probe succeeds.')
      this.#refuseWaiting()
    } else if (!wasClosed && isClosed) {
      const seconds = Math.round((now - familyState.since) / 1000)
      this.#deps.log.warn({ family, seconds }, 'The gateway responds again.')
      const notified = [...familyState.refused].flatMap(([id, urgency]) => (urgency === NOTIFIED ? id : []))
      this.#families[family] = new FamilyState()
      for (const listener of this.#listeners) {
        listener(notified)
      }
    } else if (!isClosed && now >= familyState.alarmAt) {
      familyState.alarmAt = Infinity
      this.#deps.log.error(facts, 'The gateway has not responded for half an hour: a person should look.')
    }
  }

  /** Lets the queries of a family rest for as long as the gateway asks, but at most a minute. [assumed] */
  #rest({ family }: Endpoint<unknown>, waitMs: number): void {
    if (family === null) {
      return
    }

    const familyState = this.#stateOf(family)
    const now = this.#deps.clock.now()
    const wasClosed = familyState.breaker.state === 'closed'
    const ms = Math.min(waitMs, LONGEST_PAUSE_MS)
    familyState.restsUntil = now + ms
    familyState.breaker = rest(familyState.breaker, now + ms)
    if (!wasClosed) {
      return
    }

    Object.assign(familyState, { since: now, alarmAt: now + ALARM_AFTER_MS })
    this.#deps.log.warn({ family, seconds: ms / 1000 }, 'The gateway asks to wait. Status queries pause.')
    this.#refuseWaiting()
  }

  /**
   * Registers a function that is called when a family is available again, with the ids of the transactions whose
   * callbacks arrived meanwhile. Functions are called in the order of registration.
   */
  onBack(listener: (notified: readonly string[]) => void): void {
    this.#listeners.push(listener)
  }

  /** Refuses all waiting queries. Later queries are refused if they would have to wait. */
  stop(): void {
    this.#isStopped = true
    this.#refuseWaiting()
  }

  /** Waits for the request budget, behind the queries that wait already. */
  #await(id: string, query: Omit<WaitingQuery, 'answer'>): boolean | Promise<boolean> {
    if (this.waiting === 0 && this.#budget.take()) {
      return true
    }
    if (this.#isStopped) {
      return false
    }

    const isAdmitted = new Promise<boolean>((answer) => this.#waiting.set(id, { ...query, answer }))
    void this.#serve()
    return isAdmitted
  }

  /** Admits waiting queries whenever the budget allows, until no query is waiting. */
  async #serve(): Promise<void> {
    if (this.#isServing) {
      return
    }

    this.#isServing = true
    while (this.waiting > 0) {
      if (this.#budget.take()) {
        this.#admitNext()
      } else {
        await this.#deps.clock.sleep(this.#budget.pauseMs())
      }
    }

    this.#isServing = false
  }

  #admitNext(): void {
    const id = mostUrgent(this.#waiting)
    if (id === undefined) {
      return
    }

    this.#waiting.get(id)?.answer(true)
    this.#waiting.delete(id)
  }

  /** Refuses the waiting queries of unavailable families; all queries if the process stops. */
  #refuseWaiting(): void {
    for (const [id, { urgency, family, isStored, answer }] of this.#waiting) {
      if (!this.#isStopped && this.#admits(this.#stateOf(family)) === 'any') {
        continue
      }

      this.#waiting.delete(id)
      if (isStored) {
        this.#stateOf(family).remember(id, urgency)
      }

      answer(false)
    }
  }

  #stateOf(family: Family): FamilyState {
    return (this.#families[family] ??= new FamilyState())
  }

  #admits({ breaker }: FamilyState): 'none' | 'probe' | 'any' {
    return admits(breaker, this.#deps.clock.now())
  }

  #probe(familyState: FamilyState, id: string): void {
    familyState.breaker = next(familyState.breaker, 'probe', this.#deps.clock.now(), UNAVAILABLE)
    familyState.refused.delete(id)
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

/**
 * Creates the request budget of this process, a bucket that fills over time. Each request takes one from it. The bucket
 * holds the requests of a tenth of a second, and fills so much more slowly that in any second at most `perSecond`
 * requests are taken, even if the bucket is full when the second starts.
 */
function createBudget(clock: Clock, perSecond: number) {
  const size = Math.max(1, perSecond / 10)
  const gainPerMs = (perSecond - size) / 1_000
  let left = size
  let filledAt = clock.now()

  function refill(): number {
    const now = clock.now()
    // If the system clock has jumped back, nothing is gained.
    left = Math.min(size, left + Math.max(0, now - filledAt) * gainPerMs)
    filledAt = now
    return left
  }

  return {
    /** Returns the milliseconds until a request is available. */
    pauseMs: () => Math.max(1, Math.ceil((1 - left) / gainPerMs)),
    /** Takes a request. Returns `false` if none is available. */
    take(): boolean {
      const isLeft = refill() >= 1
      if (isLeft) {
        left -= 1
      }
      return isLeft
    },
    /** Counts a request that does not wait for the budget. */
    count(): void {
      left = Math.max(0, refill() - 1)
    },
  }
}

/** Whether the gateway answers the queries of a family, and those that were refused meanwhile. */
class FamilyState {
  breaker: Breaker = CLOSED
  /** The end of the rest that the gateway has asked for; 0 without one. */
  restsUntil = 0
  /** The start of the outage, and the time from which a failure is logged as an error. */
  since = 0
  alarmAt = Infinity
  /** The urgency of the queries that were refused or have failed, by the id of the transaction, in order of arrival. */
  readonly refused = new Map<string, number>()

  /** A rest that would end later than it may was begun before the system clock jumped back. */
  isResting(now: number): boolean {
    return now < this.restsUntil && this.restsUntil - now <= LONGEST_PAUSE_MS
  }

  /**
   * Remembers a query that was refused or has failed. After a failure, only a callback makes it urgent again: a page
   * that shows a transaction whose queries always fail would otherwise take every probe.
   */
  remember(id: string, urgency: number): void {
    const known = this.refused.get(id) ?? Infinity
    const isMoreUrgent = known === FAILED ? urgency === NOTIFIED : urgency < known
    if (!isMoreUrgent || this.refused.size >= MAX_REMEMBERED * (PRIORITIES.length - urgency)) {
      return
    }

    this.refused.delete(id)
    this.refused.set(id, urgency)
  }
}
