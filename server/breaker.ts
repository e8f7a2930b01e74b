/**
 * A circuit breaker for another party's server. Pure.
 *
 * While the server is away, only one request at a time probes it, so that ten thousand waiting requests cost nothing. A
 * server that fails some requests, or lets some hang, stays connected.
 */

import { backoffDelay } from './backoff.ts'

export type Breaker =
  /** `failures`: failed requests since the last success. `since`: the time of the first of them; 0 if there is none. */
  | { state: 'closed'; failures: number; since: number }
  /** No request starts before `probeAt`. `probes`: failed probes in a row. */
  | { state: 'open'; probes: number; probeAt: number }
  /** One request is under way; the others wait for its result, or until `probeAt` if it has none. */
  | { state: 'probing'; probes: number; probeAt: number }

export type BreakerEvent = 'succeeded' | 'failed' | 'probe'

/** When a server counts as away, and how it is probed. All times are in milliseconds. */
export interface BreakerPolicy {
  /** So many failures without a success between them mean that the server is away. */
  readonly failures: number
  /** So do a few failures over this time, where there are few requests. */
  readonly fewOverMs: number
  /** Pauses between probes. */
  readonly probe: { readonly baseMs: number; readonly capMs: number }
  /** After so many probes, the pauses are longer. */
  readonly longOutage: { readonly probes: number; readonly pauseMs: number } | null
  /** A probe without a result is repeated after this time. */
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
        const isAway = failures >= policy.failures || (failures >= FEW && now - since >= policy.fewOverMs)
        return isAway ? open(0, now, policy) : { state: 'closed', failures, since }
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

/** Returns how many requests may start now: none, one probe, or any number. */
export function admits(breaker: Breaker, now: number): 'none' | 'probe' | 'any' {
  if (breaker.state === 'closed') return 'any'
  return now >= breaker.probeAt ? 'probe' : 'none'
}
