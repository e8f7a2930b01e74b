/**
 * A circuit breaker for requests to another server. Pure.
 *
 * During an outage, only one request at a time is sent (a probe), so that thousands of waiting requests cause little
 * load. If a server fails only some requests, all requests are still sent.
 */

import { backoffDelay } from './backoff.ts'

export type Breaker =
  /** `failures`: number of consecutive failures. `since`: time of the first of these failures; 0 if there is none. */
  | { state: 'closed'; failures: number; since: number }
  /** No request starts before `probeAt`. `probes`: number of consecutive failed probes. */
  | { state: 'open'; probes: number; probeAt: number }
  /** One probe is in flight. Other requests wait for its result, or until `probeAt` if no result arrives. */
  | { state: 'probing'; probes: number; probeAt: number }

export type BreakerEvent = 'succeeded' | 'failed' | 'probe'

/**
 * The conditions under which a server is treated as unavailable, and the pauses between probes. All times are in
 * milliseconds.
 */
export interface BreakerPolicy {
  /** Number of consecutive failures after which the server is treated as unavailable. */
  readonly failures: number
  /** The server is also treated as unavailable if at least three consecutive failures ({@link FEW}) span this time. */
  readonly fewOverMs: number
  /** The first and the longest pause between probes. */
  readonly probe: { readonly baseMs: number; readonly capMs: number }
  /**
   * The pause between probes is `pauseMs` after `probes` consecutive failed probes. If this field is `null`, `probe`
   * always determines the pause.
   */
  readonly longOutage: { readonly probes: number; readonly pauseMs: number } | null
  /** Time after which another probe is sent if a probe has no result. */
  readonly probeTimeoutMs: number
}

const FEW = 3

export const CLOSED: Breaker = { state: 'closed', failures: 0, since: 0 }

export function next(breaker: Breaker, event: BreakerEvent, now: number, policy: BreakerPolicy): Breaker {
  switch (event) {
    case 'succeeded':
      return CLOSED
    case 'probe':
      return breaker.state === 'closed'
        ? breaker
        : { state: 'probing', probes: breaker.probes, probeAt: now + policy.probeTimeoutMs }
    case 'failed': {
      if (breaker.state === 'open') return breaker
      if (breaker.state === 'closed') {
        const failures = breaker.failures + 1
        const since = breaker.failures === 0 ? now : breaker.since
        const isUnavailable =
          failures >= policy.failures || (failures >= FEW && now - since >= policy.fewOverMs)
        return isUnavailable ? open(0, now, policy) : { state: 'closed', failures, since }
      }
      return open(breaker.probes + 1, now, policy)
    }
  }
}

function open(probes: number, now: number, { probe, longOutage }: BreakerPolicy): Breaker {
  const isLong = longOutage !== null && probes >= longOutage.probes
  const pause = isLong ? longOutage.pauseMs : backoffDelay(probes + 1, 1, probe)
  return { state: 'open', probes, probeAt: now + pause }
}

/** Returns whether no request, one probe, or any number of requests may start now. */
export function admits(breaker: Breaker, now: number): 'none' | 'probe' | 'any' {
  if (breaker.state === 'closed') return 'any'
  return now >= breaker.probeAt ? 'probe' : 'none'
}
