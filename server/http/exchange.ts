/**
 * Sends HTTP requests with a deadline and a limit on the size of the response.
 *
 * Timeouts, failed connections and oversized responses are returned as values instead of thrown. Redirects are never
 * followed, because the response of another server is not trusted.
 *
 * Trace ids link the log entries, the gateway requests and the deliveries of one transaction.
 */

import { parseUrl } from '../contract/parse.ts'
import { firstCharacters } from '../contract/text.ts'
import { name, version } from '../package.json'

import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'

/**
 * The part of the `fetch` API that this server uses. The platform's `fetch`, undici's `fetch`, and a Hono app's
 * `request` are compatible with this type.
 */
export type Fetch = (url: string, init: FetchInit) => FetchAnswer | Promise<FetchAnswer>

export interface FetchInit {
  method: string
  headers: Record<string, string>
  body?: string
  signal: AbortSignal
  redirect: 'manual'
}

export interface FetchAnswer {
  status: number
  /** The headers of the response, by their name in lower case. */
  headers?: Pick<Headers, 'get'>
  /** The decoded body: `fetch` undoes the Content-Encoding. */
  body: AsyncIterable<Uint8Array> | null
  /** Hides secrets in a text of the answer (`masked-fetch.ts`). Default: texts are not changed. */
  mask?: Mask
}

export type Mask = (text: string) => string

interface ExchangeRequest {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | undefined
  deadlineMs: number
  maxAnswerBytes: number
  /** Aborts the exchange, which then rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

/**
 * The result of a request. If the answer is not complete, `status` is the one with which it began; `null` if none began.
 * `summary` tells the merchant what happened. It follows the name of the server: "responds with HTTP 500".
 */
export type Exchange = { summary: string } & (
  | { kind: 'answer'; status: number; headers?: FetchAnswer['headers']; text: string; mask: Mask }
  | { kind: 'timeout' | 'too_large'; status: number | null }
  | { kind: 'unreachable'; status: number | null; cause: unknown }
)

/** Firewalls block requests that do not name their sender. */
const USER_AGENT = `${name}/${version}`

/**
 * The abort reason for the timeout and the request of an exchange that has ended. All exchanges use this one error
 * object, because creating an error is expensive.
 */
const EXCHANGE_OVER = new Error('The exchange is over.')

/** Sends one HTTP request and resolves with the result. Rejects only if `request.signal` aborts. */
export async function exchange(fetch: Fetch, clock: Clock, request: ExchangeRequest): Promise<Exchange> {
  const { method, url, headers, body, deadlineMs, maxAnswerBytes, signal } = request
  signal?.throwIfAborted()
  const over = new AbortController()
  const stop = signal ? AbortSignal.any([signal, over.signal]) : over.signal

  let status: number | null = null
  const timeout = clock.sleep(deadlineMs, stop).then(
    (): Exchange => {
      const limit = `within ${deadlineMs / 1000} seconds`
      const summary =
        status === null
          ? `did not respond ${limit}`
          : `responds with HTTP ${status}, but does not end ${limit}`
      return { kind: 'timeout', status, summary }
    },
    // The exchange is over: this promise stays pending, and the race below has ended.
    () => new Promise<never>(() => {}),
  )
  const aborted = new Promise<never>((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  const answer = send().catch((cause: unknown): Exchange => {
    const reason = reasonOf(cause)
    const summary =
      status === null
        ? `cannot be reached at ${parseUrl(url)?.origin} (${reason})`
        : `responds with HTTP ${status}, but the answer cannot be read (${reason})`
    return { kind: 'unreachable', status, cause, summary }
  })
  try {
    return await Promise.race([answer, timeout, aborted])
  } finally {
    over.abort(EXCHANGE_OVER)
  }

  async function send(): Promise<Exchange> {
    const init = {
      method,
      // Without `accept-encoding`, servers may compress the answer as they like (RFC 9110, 12.5.3).
      headers: { 'user-agent': USER_AGENT, 'accept-encoding': 'identity', ...headers },
      signal: stop,
      redirect: 'manual' as const,
      ...(body !== undefined && { body }),
    }
    const response = await fetch(url, init)
    status = response.status
    const text = await readText(response.body, maxAnswerBytes)
    if (text === null) {
      const summary = `responds with HTTP ${status} and more than ${maxAnswerBytes / 1000} kB`
      return { kind: 'too_large', status, summary }
    }

    const { mask = (unchanged: string) => unchanged } = response
    const summary = describeStatus(status, url, response.headers?.get('location'), mask)
    return { kind: 'answer', status, headers: response.headers, text, mask, summary }
  }
}

/** Returns how long the header `Retry-After` asks to wait, in milliseconds; `null` if it is absent or invalid. */
export function readRetryAfter(headers: FetchAnswer['headers'], now: number): number | null {
  const text = headers?.get('retry-after')?.trim() ?? ''
  const isSeconds = /^\d+$/.test(text)
  // Otherwise it is a date.
  const ms = isSeconds ? Number(text) * 1000 : Date.parse(text) - now
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}

export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status <= 299

/** Describes a complete response. Names the target of a redirect without its query, which may contain a secret. */
function describeStatus(
  status: number,
  url: string,
  location: string | null | undefined,
  mask: Mask,
): string {
  if (status < 300 || status > 399 || !location) {
    return `responds with HTTP ${status}`
  }

  // Masked before it is parsed, since parsing changes what a secret looks like: hosts, for example, become lower case.
  const target = parseUrl(mask(location), url)
  const place = target ? `${target.protocol}//${target.host}${target.pathname}` : 'no valid address'
  return `redirects with HTTP ${status} to ${firstCharacters(place, MAX_CHARACTERS)}, which is not followed`
}

/** The maximum number of characters of an address or a reason in a summary. */
const MAX_CHARACTERS = 200

/** Returns the reason why a connection failed, such as "connect ECONNREFUSED 127.0.0.1:3000" or "certificate has expired". */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) {
    return 'for an unknown reason'
  }
  return firstCharacters(innermost(cause).message, MAX_CHARACTERS)
}

/** Returns whether a connection failed because nothing listens at the address. */
export function isNotListening(cause: unknown): boolean {
  return codeOf(cause) === 'ECONNREFUSED'
}

/**
 * The error of a connection that was not made: the name was not found, the address is not allowed or not reachable, or
 * the handshake failed, with its certificate. Requests are written to a connection only after that.
 */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError'
}

/** Returns whether no connection was made, so that not a byte of the request has left. */
export function isNotConnected(cause: unknown): boolean {
  if (cause instanceof NotConnectedError || isNotListening(cause)) {
    return true
  }
  return cause instanceof Error && cause.cause !== undefined && isNotConnected(cause.cause)
}

function codeOf(cause: unknown): unknown {
  const error = cause instanceof Error ? innermost(cause) : {}
  return 'code' in error ? error.code : null
}

/**
 * Returns the error that caused an error: `fetch` wraps the error of the connection, and if a host has several addresses,
 * the errors of all of them come as one {@link AggregateError}.
 */
function innermost(error: Error): Error {
  const inner: unknown = error instanceof AggregateError ? error.errors[0] : error.cause
  return inner instanceof Error ? innermost(inner) : error
}

/** Resolves with the body as text; `null` if the body exceeds `maxBytes`. */
export async function readText(body: FetchAnswer['body'], maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body ?? []) {
    length += chunk.byteLength
    if (length > maxBytes) {
      return null
    }

    chunks.push(chunk)
  }

  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** The header of W3C Trace Context that carries the trace id. */
export const TRACEPARENT = 'traceparent'

/**
 * `version-traceId-spanId-flags`. The version `ff` and ids of zeros are invalid; later versions may append further parts.
 */
const TRACEPARENT_VALUE = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/

/** Returns the trace id of a `traceparent` header; `null` if the header is absent or invalid. */
export function readTraceId(header: string | undefined): string | null {
  const match = TRACEPARENT_VALUE.exec(header ?? '')
  return match?.[1] ?? null
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
  // Not 0, because a span id of zeros is invalid.
  const processPart = hex(1 + Math.floor(randomness.fraction() * (VALUES_OF_A_PART - 1)))
  let requests = 0
  return (traceId) => {
    if (!traceId) {
      return {}
    }

    requests = (requests + 1) % VALUES_OF_A_PART
    const spanId = `${processPart}${hex(requests)}`
    return { [TRACEPARENT]: `00-${traceId}-${spanId}-01` }
  }
}

/** How many values half a span id (32 bits) can have. */
const VALUES_OF_A_PART = 2 ** 32

function hex(part: number): string {
  return part.toString(16).padStart(8, '0')
}
