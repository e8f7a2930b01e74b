/** The number of requests to the gateway that this process may send now. */

import type { Clock } from '../work/clock.ts'

/**
 * A bucket that fills over time. Each request takes one from it. The bucket holds the requests of a tenth of a second,
 * and fills so much more slowly that in any second at most `perSecond` requests are taken, even if the bucket is full
 * when the second starts.
 */
export class RequestBudget {
  readonly #clock: Clock
  readonly #size: number
  readonly #gainPerMs: number
  #available: number
  #filledAt: number

  /** @param perSecond The value of GATEWAY_MAX_RPS. */
  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock
    this.#size = Math.max(1, perSecond / 10)
    this.#gainPerMs = (perSecond - this.#size) / 1_000
    this.#available = this.#size
    this.#filledAt = clock.now()
  }

  /** Takes a request. Returns `false` if none is available. */
  take(): boolean {
    this.#refill()
    if (this.#available < 1) {
      return false
    }

    this.#available -= 1
    return true
  }

  /** Counts a request that does not wait for the budget. */
  count(): void {
    this.#refill()
    this.#available = Math.max(0, this.#available - 1)
  }

  /** Returns the milliseconds until a request is available. */
  pauseMs(): number {
    return Math.max(1, Math.ceil((1 - this.#available) / this.#gainPerMs))
  }

  #refill(): void {
    const now = this.#clock.now()
    // If the system clock has jumped back, nothing is gained.
    const elapsedMs = Math.max(0, now - this.#filledAt)
    this.#available = Math.min(this.#size, this.#available + elapsedMs * this.#gainPerMs)
    this.#filledAt = now
  }
}
