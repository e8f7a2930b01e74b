/**
 * Sends requests to the gateway's endpoints. Each attempt to send a request has a deadline. A failed request is sent
 * again if its endpoint is `retryable`.
 */

import { createTraceHeaders, exchange, isNotConnected, readRetryAfter } from '../http/exchange.ts'
import { backoffDelay } from '../work/backoff.ts'
import { readAnswer } from './answer.ts'
import { nameOf } from './endpoint.ts'
import { GatewayError } from './errors.ts'
import { createDateReader, skewOf } from './gateway-clock.ts'

import type { Exchange, Fetch } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Endpoint } from './endpoint.ts'
import type { GatewayErrorCode } from './errors.ts'
import type { OnDate } from './gateway-clock.ts'

/** One HTTP exchange with the gateway, for logs and metrics. Contains no secret, reference or body. */
export interface GatewayExchange {
  /** HTTP method. */
  method: string
  /** The path template of the endpoint, such as `/v1/payouts/:payout_reference/status`. */
  path: string
  /** HTTP status; `null` if no complete response arrived. */
  status: number | null
  /** The error code of a failed exchange; `null` on success. */
  code: GatewayErrorCode | null
  /** Duration in milliseconds. */
  ms: number
  /** The trace id in the request; `null` if the request had none. */
  trace_id: string | null
  /**
   * How far this server's clock is ahead of the gateway's, in milliseconds; negative if it is behind. `null` if the
   * exchange does not show it: it failed, its answer has no `Date` or one that stands still, or another host than the
   * gateway's has answered.
   */
  skew_ms: number | null
  /** Whether the `Date` of the answer stands still, as from a cache: it does not count. */
  is_date_still: boolean
  /** How long the gateway asks to wait (429 with `Retry-After`), in milliseconds; `null` if it does not. */
  wait_ms: number | null
}

/** One attempt to send a request to the gateway, for the function `onAttempt`, which is called before the attempt. */
export interface GatewayAttempt {
  /** The family of the request's endpoint. For a new access token, the family of the request that needs the token. */
  family: Endpoint<unknown>['family']
  /** Whether the request is a status query of a transaction. */
  isQuery: boolean
  isRetry: boolean
}

interface TransportOptions {
  baseUrl: string
  fetch: Fetch
  clock: Clock
  randomness: Pick<Randomness, 'fraction'>
  onExchange?: ((exchange: GatewayExchange, endpoint: Endpoint<unknown>) => void) | undefined
  onAttempt?: ((attempt: GatewayAttempt) => boolean) | undefined
}

export interface CallOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  signal?: AbortSignal
  /** Trace id of W3C Trace Context, 32 hexadecimal digits. Sent in the header `traceparent`. */
  traceId?: string | null
  /**
   * When it was stored that the request is sent, in milliseconds since the Unix epoch. After 30 seconds, the request is
   * not sent any more, and the call rejects with `gateway_timeout`.
   */
  sentAt?: number | null
  /**
   * Called for each answer with its `Date`: when the gateway answered, by its own clock, in milliseconds since the Unix
   * epoch; `null` if the answer has none that can be read, or one that stands still.
   */
  onDate?: OnDate
}

export interface Call extends CallOptions {
  /** Values for the `:name` parts of the path. */
  parameters?: Record<string, string>
  query?: Record<string, string>
  /** Called after each attempt that the gateway may have executed, unless it was answered as it should be. */
  onDoubt?: () => void
  /** Base URL of this call. Default: the base URL of the transport. */
  baseUrl?: string | undefined
  body?: object
  headers?: Record<string, string>
}

export type Transport = <Answer>(endpoint: Endpoint<Answer>, call: Call) => Promise<Answer>

/**
 * The deadline of one attempt, in milliseconds. Three attempts and the pauses between them take at most about 25
 * seconds. The BFF can therefore respond before the widget gives up its request after 30 seconds.
 */
const DEADLINE_MS = 8_000
/**
 * The longest time between the commit that stores a send and an attempt to send the request, in milliseconds. A process
 * may be stopped in between. Later, another process may have told the merchant that the request is not sent again.
 */
const SEND_WITHIN_MS = 30_000
/** The maximum size of a response, in bytes. The largest valid responses list many payments or airtime recipients. */
const MAX_ANSWER_BYTES = 1_000_000
/** The maximum number of attempts to send a retryable request, including the first attempt. */
const ATTEMPTS = 3
const RETRY = { baseMs: 300, capMs: 3_000 }
/** Error codes after which a retry of the request may succeed. */
const TEMPORARY: readonly GatewayErrorCode[] = [
  'gateway_unreachable',
  'gateway_timeout',
  'gateway_unavailable',
  'gateway_answer_invalid',
  'gateway_answer_unreadable',
]

export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, fetch, clock, randomness, onExchange, onAttempt } = options
  const traceHeaders = createTraceHeaders(randomness)
  const readDate = createDateReader(clock)

  return async function send(endpoint, call) {
    const request = { family: endpoint.family, isQuery: endpoint.unknownCode !== null }
    // Only a retry may be refused here: a first attempt was admitted before, or never waits.
    onAttempt?.({ ...request, isRetry: false })
    for (let attempt = 1; ; attempt++) {
      refuseLate(endpoint, call)
      try {
        return await sendOnce(endpoint, call)
      } catch (error) {
        const isTemporary = error instanceof GatewayError && TEMPORARY.includes(error.code)
        const hasAttemptsLeft = endpoint.retryable && attempt < ATTEMPTS
        if (!isTemporary || !hasAttemptsLeft) {
          throw error
        }

        await clock.sleep(backoffDelay(attempt, randomness.fraction(), RETRY), call.signal)
        const isRetryRefused = onAttempt?.({ ...request, isRetry: true }) === false
        if (isRetryRefused) {
          throw error
        }
      }
    }
  }

  /** @throws {GatewayError} if the send was stored too long ago, or before the system clock jumped back. */
  function refuseLate(endpoint: Endpoint<unknown>, { sentAt = null }: Call): void {
    if (sentAt === null || Math.abs(clock.now() - sentAt) <= SEND_WITHIN_MS) {
      return
    }

    throw new GatewayError(
      'gateway_timeout',
      `${nameOf(endpoint)} was stored too long ago, and was not sent.`,
    )
  }

  async function sendOnce<Answer>(endpoint: Endpoint<Answer>, call: Call): Promise<Answer> {
    const { method, path } = endpoint
    const { parameters, query, body, headers, signal, traceId = null, onDate } = call
    const startedAt = clock.now()
    const exchanged = await exchange(fetch, clock, {
      method,
      url: (call.baseUrl ?? baseUrl) + targetOf(path, call),
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...traceHeaders(traceId),
        ...headers,
      },
      body: body && JSON.stringify(body),
      deadlineMs: DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
    })
    const endedAt = clock.now()

    const status = exchanged.kind === 'answer' ? exchanged.status : null
    const answerHeaders = exchanged.kind === 'answer' ? exchanged.headers : undefined
    const { date: statedDate, is_still: is_date_still } = readDate(answerHeaders)
    const date = is_date_still ? null : statedDate
    onDate?.(date)

    const facts: GatewayExchange = {
      method,
      path,
      status,
      code: null,
      ms: endedAt - startedAt,
      trace_id: traceId,
      skew_ms: null,
      is_date_still,
      wait_ms: status === 429 ? readRetryAfter(answerHeaders, endedAt) : null,
    }

    try {
      const answer = readAnswer(endpoint, { ...parameters, ...query, ...body }, exchanged)
      const isFromGateway = call.baseUrl === undefined
      const skew_ms = isFromGateway ? skewOf(date, answerHeaders, startedAt, endedAt) : null
      onExchange?.({ ...facts, skew_ms }, endpoint)
      return answer
    } catch (error) {
      if (!(error instanceof GatewayError)) {
        throw error
      }

      onExchange?.({ ...facts, code: error.code }, endpoint)
      if (!isUnexecuted(exchanged, error)) {
        call.onDoubt?.()
      }
      throw error
    }
  }
}

/**
 * Returns whether an attempt that failed proves that the gateway did not execute the request: no connection was made, the
 * gateway asks for less (429), or it refuses the access token. [assumed] Nothing is executed before a 429.
 */
function isUnexecuted(exchanged: Exchange, { code }: GatewayError): boolean {
  switch (exchanged.kind) {
    case 'answer':
      return exchanged.status === 429 || code === 'gateway_unauthorized'
    case 'unreachable':
      return exchanged.status === null && isNotConnected(exchanged.cause)
    case 'timeout':
    case 'too_large':
      return false
  }
}

function targetOf(template: string, { parameters = {}, query }: Call): string {
  const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''))
  return query ? `${path}?${new URLSearchParams(query).toString()}` : path
}
