/**
 * Decides whether another server is away, by the requests that it answers, and which request tests whether it is back (a
 * probe). When a probe is due is decided in `work/breaker.ts`.
 */

import { admits, CLOSED, LONGEST_PAUSE_MS, next, rest } from './breaker.ts'

import type { Breaker, BreakerPolicy } from './breaker.ts'

export class Availability {
  readonly #policy: BreakerPolicy
  #breaker: Breaker = CLOSED
  /** The number of requests that were answered. */
  #answers = 0
  /** How often the server has asked to wait. */
  #rests = 0
  /** The id of the item whose request was the last probe, or else the last request without an answer. */
  #probe: string | null = null

  constructor(policy: BreakerPolicy) {
    this.#policy = policy
  }

  get isAway(): boolean {
    return this.#breaker.state !== 'closed'
  }

  /**
   * Returns what may be sent: no item, one item as a probe, or any number of items.
   *
   * @param lagMs How long the probes of a queue wait, so that those of another queue come first.
   */
  admits(now: number, lagMs = 0): 'none' | 'probe' | 'any' {
    return admits(this.#breaker, now - lagMs)
  }

  /** Returns when an item that is due at `due` may be sent. */
  notBefore(due: number, lagMs = 0): number {
    return this.#breaker.state === 'closed' ? due : Math.max(due, this.#breaker.probeAt + lagMs)
  }

  /** Returns when an item that has failed is the next probe; `null` if it is not the last probe, or none is needed. */
  nextProbeAt(id: string): number | null {
    return this.#breaker.state === 'closed' || id !== this.#probe ? null : this.#breaker.probeAt
  }

  probe(id: string, now: number): void {
    this.#breaker = next(this.#breaker, 'probe', now, this.#policy)
    this.#probe = id
  }

  /** Sends nothing for as long as the server asks, but at most a minute. Then a probe is sent. [assumed] */
  rest(waitMs: number, now: number): void {
    this.#rests += 1
    this.#breaker = rest(this.#breaker, now + Math.min(waitMs, LONGEST_PAUSE_MS))
  }

  /** Observes a request that starts. Call the result when the request has ended. */
  observe(id: string, startedAt: number): (isAnswered: boolean) => void {
    const answers = this.#answers
    const rests = this.#rests
    return (isAnswered) => {
      // What was sent before the server asked to wait says nothing about it.
      if (rests !== this.#rests) {
        return
      }

      if (isAnswered) {
        this.#answers += 1
        this.#breaker = next(this.#breaker, 'succeeded', startedAt, this.#policy)
      } else if (answers === this.#answers && (!this.isAway || id === this.#probe)) {
        // The pause before the next probe begins when this one started.
        this.#breaker = next(this.#breaker, 'failed', startedAt, this.#policy)
        this.#probe = id
      }
    }
  }
}
