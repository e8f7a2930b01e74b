/**
 * Whether the gateway answers the status queries of one family of endpoints, and the queries that were refused
 * meanwhile.
 */

import { admits, CLOSED, LONGEST_PAUSE_MS, next, rest } from '../work/breaker.ts'
import { PRIORITIES, urgencyOf } from './query-priority.ts'

import type { Breaker, BreakerPolicy } from '../work/breaker.ts'
import type { Urgency } from './query-priority.ts'

const NOTIFIED = urgencyOf('notified')
const DUE = urgencyOf('due')
/** A query that has failed is as urgent as a probe. */
const FAILED = urgencyOf('probe')

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
/**
 * The length of an outage, in milliseconds, after which an error is logged, so that a person looks for the cause.
 * [assumed]
 */
const ALARM_AFTER_MS = 30 * 60_000
/** The maximum number of queries that a family remembers. Each higher urgency may exceed it by as many. */
const MAX_REMEMBERED = 1_000

export class FamilyState {
  #breaker: Breaker = CLOSED
  /** The end of the rest that the gateway has asked for; 0 without one. */
  #restsUntil = 0
  #outageSince = 0
  /** The time from which a failure is logged as an error; `Infinity` if it was logged, or there is no outage. */
  #alarmAt = Infinity
  /** The urgency of the queries that were refused or have failed, by the id of the transaction, in order of arrival. */
  readonly #refused = new Map<string, Urgency>()

  get isAvailable(): boolean {
    return this.#breaker.state === 'closed'
  }

  /** The time of the next probe, in milliseconds since the Unix epoch; `null` while the family is available. */
  get probeAt(): number | null {
    return this.#breaker.state === 'closed' ? null : this.#breaker.probeAt
  }

  /** Returns what may be queried now: nothing, one transaction as a probe, or any transaction. */
  admits(now: number): 'none' | 'probe' | 'any' {
    return admits(this.#breaker, now)
  }

  /** Returns whether the gateway has asked to wait. */
  isResting(now: number): boolean {
    // A rest that would end later than any rest may was begun before the system clock jumped back.
    return now < this.#restsUntil && this.#restsUntil - now <= LONGEST_PAUSE_MS
  }

  /** Records the result of a query. */
  record(result: 'succeeded' | 'failed', now: number): void {
    this.#change(next(this.#breaker, result, now, UNAVAILABLE), now)
  }

  /** Sends no query until the time that the gateway has asked for. */
  restUntil(until: number, now: number): void {
    this.#restsUntil = until
    this.#change(rest(this.#breaker, until), now)
  }

  /** Called when a query of the transaction is sent as a probe. */
  startProbe(id: string, now: number): void {
    this.#change(next(this.#breaker, 'probe', now, UNAVAILABLE), now)
    this.#refused.delete(id)
  }

  #change(breaker: Breaker, now: number): void {
    const wasAvailable = this.isAvailable
    this.#breaker = breaker
    if (wasAvailable && !this.isAvailable) {
      this.#outageSince = now
      this.#alarmAt = now + ALARM_AFTER_MS
    }
  }

  /** Returns how long the family has been unavailable, in milliseconds. */
  outageMs(now: number): number {
    return now - this.#outageSince
  }

  /** Returns whether the outage has become so long that a person should look. Returns `true` once in each outage. */
  takeAlarm(now: number): boolean {
    if (now < this.#alarmAt) {
      return false
    }

    this.#alarmAt = Infinity
    return true
  }

  /** Remembers a query that has failed, or waits for the end of an outage after it had failed. */
  rememberFailed(id: string): void {
    this.remember(id, FAILED)
  }

  /**
   * Remembers a query that was refused. After a failure, only a callback makes a query urgent again: a page that shows a
   * transaction whose queries always fail would otherwise take every probe.
   */
  remember(id: string, urgency: Urgency): void {
    const known = this.#refused.get(id) ?? Infinity
    const isMoreUrgent = known === FAILED ? urgency === NOTIFIED : urgency < known
    const limit = MAX_REMEMBERED * (PRIORITIES.length - urgency)
    if (!isMoreUrgent || this.#refused.size >= limit) {
      return
    }

    this.#refused.delete(id)
    this.#refused.set(id, urgency)
  }

  /**
   * Returns the id of the transaction that is queried as the next probe. The newest query that a callback or a page has
   * requested comes first, then the newest that was due: the gateway may answer these even if it fails others. Queries
   * that have failed come last, in turn.
   */
  nextProbe(): string | undefined {
    const queries = [...this.#refused].map(([id, urgency]) => ({ id, urgency }))
    const newestRequested = queries.findLast(({ urgency }) => urgency < DUE)
    const newestDue = queries.findLast(({ urgency }) => urgency === DUE)
    const oldestFailed = queries[0]
    return (newestRequested ?? newestDue ?? oldestFailed)?.id
  }

  /** Returns the ids of the refused transactions about which a callback arrived. */
  notifiedIds(): string[] {
    const notified = [...this.#refused].filter(([, urgency]) => urgency === NOTIFIED)
    return notified.map(([id]) => id)
  }
}
