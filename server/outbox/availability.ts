/**
 * Decides whether the merchant's backend is away, and which delivery tests whether it is back (a probe).
 *
 * An event that the backend refuses, or whose delivery hangs while others are answered, says nothing about the others.
 * Only deliveries without any answer count, and only if nothing was answered while they ran. If the backend only seems to
 * be away, because nothing but such events is delivered, the next new event is the probe, and is answered.
 */

import type { Breaker, BreakerPolicy } from '../work/breaker.ts'
import type { EventQueue } from '../store/store.ts'
import { admits, CLOSED, next } from '../work/breaker.ts'

/**
 * The conditions under which the backend counts as away, and the times between probes. A small shop has few events:
 * there, a minute in which each of three or more deliveries has no answer is enough.
 *
 * [assumed] These conditions and times are suitable for the merchant's backend.
 */
const AWAY: BreakerPolicy = {
  failures: 20,
  failureSpanMs: 60_000,
  probe: { baseMs: 1_000, capMs: 5_000 },
  // A probe that hangs may be the fault of its event: after this time, another event is the probe.
  probeTimeoutMs: 1_000,
}
/** How long a probe from each queue waits, so that an event that has failed is no probe before a new one. */
const LAG_MS = { events: 0, retries: 1_000 } as const satisfies Record<EventQueue, number>

export class Availability {
  #breaker: Breaker = CLOSED
  /** The number of deliveries that were answered. */
  #answers = 0
  /** The id of the event whose delivery was the last probe, or else the last delivery without an answer. */
  #probe: string | null = null

  get isAway(): boolean {
    return this.#breaker.state !== 'closed'
  }

  /** Returns what may be delivered from the queue: no event, one event as a probe, or any number of events. */
  admits(queue: EventQueue, now: number): 'none' | 'probe' | 'any' {
    return admits(this.#breaker, now - LAG_MS[queue])
  }

  /** Returns when an event of the queue that is due at `due` may be delivered. */
  notBefore(queue: EventQueue, due: number): number {
    return this.#breaker.state === 'closed' ? due : Math.max(due, this.#breaker.probeAt + LAG_MS[queue])
  }

  /** Returns when an event that has failed is the next probe; `null` if it is not the last probe, or none is needed. */
  nextProbeAt(id: string): number | null {
    return this.#breaker.state === 'closed' || id !== this.#probe ? null : this.#breaker.probeAt
  }

  probe(id: string, now: number): void {
    this.#breaker = next(this.#breaker, 'probe', now, AWAY)
    this.#probe = id
  }

  /** Observes a delivery that starts. Call the result when the delivery has ended. */
  observe(id: string, startedAt: number): (isAnswered: boolean) => void {
    const answers = this.#answers
    return (isAnswered) => {
      if (isAnswered) {
        this.#answers += 1
        this.#breaker = next(this.#breaker, 'succeeded', startedAt, AWAY)
      } else if (answers === this.#answers && (!this.isAway || id === this.#probe)) {
        // The pause before the next probe begins when this one started.
        this.#breaker = next(this.#breaker, 'failed', startedAt, AWAY)
        this.#probe = id
      }
    }
  }
}
