/**
 * A circuit breaker for requests to another server. When the gateway is away is decided in `gateway/family-state.ts`, when
 * a backend or a service for messages is in `work/availability.ts`. Pure.
 *
 * During an outage of the other server, only one request at a time is sent (a probe). Thousands of waiting requests
 * therefore cause little load. Only consecutive failures count as an outage: while some requests fail and others
 * succeed, all requests are sent.
 */

import { backoffDelay } from './backoff.ts'

import type { Backoff } from './backoff.ts'

export type Breaker =
  /**
   * All requests are sent. `failures` is the number of consecutive failed requests. `since` is the time of the first of
   * these failures, in milliseconds since the Unix epoch; 0 if `failures` is 0.
   */
  | { state: 'closed'; failures: number; since: number }
  /** No request is sent before `probeAt`. `probes` is the number of consecutive failed probes. */
  | { state: 'open'; probes: number; probeAt: number }
  /** One probe is in flight. Other requests wait until the probe has a result, but at most until `probeAt`. */
  | { state: 'probing'; probes: number; probeAt: number }

export type BreakerEvent = 'succeeded' | 'failed' | 'probe'

/**
 * The conditions under which a server is treated as unavailable, and the pauses between probes. All times are in
 * milliseconds.
 */
export interface BreakerPolicy {
  /** Number of consecutive failures after which the server is treated as unavailable. */
  readonly failures: number
  /**
   * The server is also treated as unavailable after only three ({@link FEWEST_FAILURES}) or more consecutive failures,
   * if at least this time has passed between the first and the last of them.
   */
  readonly failureSpanMs: number
  /** The pauses between probes, of at most a minute ({@link LONGEST_PAUSE_MS}). */
  readonly probe: Readonly<Backoff>
  /** If a probe has no result after this time, another probe is sent. At most a minute, too. */
  readonly probeTimeoutMs: number
}

/** One or two failures in a row prove no outage. [assumed] */
const FEWEST_FAILURES = 3
/**
 * The longest time between the first and the last failure of an outage, in milliseconds, before it counts as one.
 * [assumed] The server may have worked in between, and nobody asked.
 */
const LONGEST_SPAN_MS = 15 * 60_000
/** The longest pause. A probe that is planned later than this, in milliseconds, was planned before the system clock jumped back. */
export const LONGEST_PAUSE_MS = 60_000

/** The number for a pause from which nothing is subtracted: probes of one server need not be spread over time. */
const WHOLE = 1

export const CLOSED: Breaker = { state: 'closed', failures: 0, since: 0 }

/**
 * Returns the breaker after an event. A success ends the outage, whichever request it answers. A failure of a request
 * that was sent before the outage says nothing new about it, but while a probe is in flight, any failure counts as its.
 * While the breaker is closed, no request is a probe.
 */
export function next(breaker: Breaker, event: BreakerEvent, now: number, policy: BreakerPolicy): Breaker {
  switch (event) {
    case 'succeeded':
      return CLOSED
    case 'probe':
      return breaker.state === 'closed'
        ? breaker
        : { state: 'probing', probes: breaker.probes, probeAt: now + policy.probeTimeoutMs }
    case 'failed': {
      if (breaker.state === 'open') {
        return breaker
      }
      if (breaker.state === 'closed') {
        const isFirst = breaker.failures === 0 || now - breaker.since > LONGEST_SPAN_MS
        const failures = isFirst ? 1 : breaker.failures + 1
        const since = isFirst ? now : breaker.since
        const isUnavailable =
          failures >= policy.failures || (failures >= FEWEST_FAILURES && now - since >= policy.failureSpanMs)
        return isUnavailable ? open(0, now, policy) : { state: 'closed', failures, since }
      }
      return open(breaker.probes + 1, now, policy)
    }
  }
}

/** Returns the breaker of a server that asks to be left alone until a time, at most a minute ahead. Then a probe is sent. */
export function rest(breaker: Breaker, until: number): Breaker {
  return { state: 'open', probes: breaker.state === 'closed' ? 0 : breaker.probes, probeAt: until }
}

function open(probes: number, now: number, { probe }: BreakerPolicy): Breaker {
  return { state: 'open', probes, probeAt: now + backoffDelay(probes + 1, WHOLE, probe) }
}

/** Returns what may be sent now: no request, one probe, or any number of requests. */
export function admits(breaker: Breaker, now: number): 'none' | 'probe' | 'any' {
  if (breaker.state === 'closed') {
    return 'any'
  }
  return now >= breaker.probeAt || breaker.probeAt - now > LONGEST_PAUSE_MS ? 'probe' : 'none'
}
