/**
 * A circuit breaker for the merchant's backend. Pure.
 *
 * While the backend is away, only one delivery at a time probes it, so that ten thousand waiting events cost nothing.
 * A backend that fails some deliveries, or lets some hang, stays connected.
 */

import { backoffDelay } from '../backoff.ts'

export type Breaker =
  /** `failures`: failed deliveries since the last success. */
  | { state: 'closed'; failures: number }
  /** No delivery starts before `probeAt`. `probes`: failed probes in a row. */
  | { state: 'open'; probes: number; probeAt: number }
  /** One delivery is under way; the others wait for its result, or until `probeAt` if it has none. */
  | { state: 'probing'; probes: number; probeAt: number }

export type BreakerEvent = 'delivered' | 'failed' | 'probe'

export const CLOSED: Breaker = { state: 'closed', failures: 0 }

/**
 * [assumed] So many failures without a success between them mean that the backend is away. When one delivery in ten
 * fails, the probability is 10^-20.
 */
const FAILURES_TO_OPEN = 20
/** Pauses between probes. */
const PROBE = { baseMs: 1_000, capMs: 5_000 }
/** A probe without a result is repeated after this time. */
const PROBE_TIMEOUT_MS = 60_000

export function next(breaker: Breaker, event: BreakerEvent, now: number): Breaker {
  switch (event) {
    case 'delivered':
      return CLOSED
    case 'probe':
      return breaker.state === 'closed'
        ? breaker
        : { state: 'probing', probes: breaker.probes, probeAt: now + PROBE_TIMEOUT_MS }
    case 'failed': {
      if (breaker.state === 'open') return breaker
      const failures = breaker.state === 'closed' ? breaker.failures + 1 : FAILURES_TO_OPEN
      if (failures < FAILURES_TO_OPEN) return { state: 'closed', failures }
      const probes = breaker.state === 'closed' ? 0 : breaker.probes + 1
      return { state: 'open', probes, probeAt: now + backoffDelay(probes + 1, 1, PROBE) }
    }
  }
}

/** Returns how many deliveries may start now: none, one probe, or any number. */
export function admits(breaker: Breaker, now: number): 'none' | 'probe' | 'any' {
  if (breaker.state === 'closed') return 'any'
  return now >= breaker.probeAt ? 'probe' : 'none'
}
