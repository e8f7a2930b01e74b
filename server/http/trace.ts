/**
 * Trace ids link the log entries, the gateway requests and the deliveries of one transaction. Requests carry them in a
 * header of W3C Trace Context.
 */

import type { Randomness } from '../work/randomness.ts'

export const TRACEPARENT = 'traceparent'

const HEADER = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/

/** Returns the trace id of a `traceparent` header; `null` if the header is absent or invalid. */
export function readTraceId(header: string | undefined): string | null {
  return HEADER.exec(header ?? '')?.[1] ?? null
}

/** Returns a new trace id: 32 hexadecimal digits. */
export function newTraceId(randomness: Pick<Randomness, 'uuid'>): string {
  return randomness.uuid().replaceAll('-', '')
}

/**
 * Returns the trace headers of a request about a transaction. Returns no headers if the transaction has no trace id.
 */
export type BuildTraceHeaders = (traceId: string | null | undefined) => Record<string, string>

/**
 * Returns a function that builds the trace headers. Each request has a unique span id, which consists of a random part
 * per process and a counter. The flag "sampled" is always set, so that tracing systems record every payment.
 */
export function createTraceHeaders(randomness: Pick<Randomness, 'fraction'>): BuildTraceHeaders {
  const process = hex(1 + Math.floor(randomness.fraction() * (MAX_PART - 1)))
  let requests = 0
  return (traceId) => {
    if (!traceId) return {}
    requests = (requests + 1) % MAX_PART
    return { [TRACEPARENT]: `00-${traceId}-${process}${hex(requests)}-01` }
  }
}

/** The number of possible values of half a span id (32 bits). */
const MAX_PART = 2 ** 32

function hex(part: number): string {
  return part.toString(16).padStart(8, '0')
}
