/**
 * Sends requests to the gateway's endpoints. Each attempt to send a request has a deadline. A failed request is sent
 * again if its endpoint is `retryable`.
 *
 * All requests use one access token, which is renewed before it expires. At most one request for a new access token is
 * in flight. [spec: Authentication]
 */

import type { Clock } from '../work/clock.ts'
import type { Credentials } from '../contract/account.ts'
import type { Fetch } from '../http/exchange.ts'
import type { Randomness } from '../work/randomness.ts'
import type { Endpoint } from './answer.ts'
import type { GatewayErrorCode } from './errors.ts'
import { exchange, createTraceHeaders } from '../http/exchange.ts'
import { readAnswer } from './answer.ts'
import { GatewayError } from './errors.ts'
import { backoffDelay } from '../work/breaker.ts'
import { endpoints } from '../contract/endpoints.ts'

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
}

export interface Call extends CallOptions {
  /** Values for the `:name` parts of the path. */
  parameters?: Record<string, string>
  query?: Record<string, string>
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

export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, fetch, clock, randomness, onExchange, onAttempt } = options
  const traceHeaders = createTraceHeaders(randomness)

  return async function send(endpoint, call) {
    const attempt = { family: endpoint.family, isQuery: endpoint.unknownCode !== null }
    onAttempt?.({ ...attempt, isRetry: false })
    for (let attempts = 1; ; attempts++) {
      refuseLate(endpoint, call)
      try {
        return await sendOnce(endpoint, call)
      } catch (error) {
        if (!endpoint.retryable || attempts >= ATTEMPTS || !isTemporary(error)) throw error
        await clock.sleep(backoffDelay(attempts, randomness.fraction(), RETRY), call.signal)
        if (onAttempt?.({ ...attempt, isRetry: true }) === false) throw error
      }
    }
  }

  /** @throws {GatewayError} if the send was stored too long ago, or before the system clock jumped back. */
  function refuseLate({ method, path }: Endpoint<unknown>, { sentAt = null }: Call): void {
    if (sentAt === null || Math.abs(clock.now() - sentAt) <= SEND_WITHIN_MS) return
    throw new GatewayError('gateway_timeout', `${method} ${path} was not sent, because it is too late.`)
  }

  async function sendOnce<Answer>(endpoint: Endpoint<Answer>, call: Call): Promise<Answer> {
    const { method, path: template } = endpoint
    const { parameters, query, body, headers, signal, traceId = null } = call
    const path = template.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(parameters?.[key] ?? ''))
    const search = query ? `?${new URLSearchParams(query).toString()}` : ''
    const startedAt = clock.now()
    const allHeaders: Record<string, string> = { accept: 'application/json' }
    if (body) allHeaders['content-type'] = 'application/json'
    Object.assign(allHeaders, traceHeaders(traceId), headers)
    const exchanged = await exchange(fetch, clock, {
      method,
      url: (call.baseUrl ?? baseUrl) + path + search,
      headers: allHeaders,
      body: body && JSON.stringify(body),
      deadlineMs: DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal,
    })
    const status = exchanged.kind === 'answer' ? exchanged.status : null
    const facts = {
      method,
      path: template,
      status,
      code: null,
      ms: clock.now() - startedAt,
      trace_id: traceId,
    }
    try {
      const answer = readAnswer(endpoint, Object.assign({}, parameters, query, body), exchanged)
      onExchange?.(facts, endpoint)
      return answer
    } catch (error) {
      if (error instanceof GatewayError) onExchange?.({ ...facts, code: error.code }, endpoint)
      throw error
    }
  }
}

/** Error codes after which a retry of the request may succeed. */
const TEMPORARY: readonly GatewayErrorCode[] = [
  'gateway_unreachable',
  'gateway_timeout',
  'gateway_unavailable',
  'gateway_answer_invalid',
]

function isTemporary(error: unknown): boolean {
  return error instanceof GatewayError && TEMPORARY.includes(error.code)
}

/** An endpoint that requires an access token. `token` is the name of the HTTP header for the access token. */
export type TokenEndpoint<Answer> = Endpoint<Answer> & { token: string }

/**
 * The maximum time for which an access token is used, in seconds, even if the gateway states a longer lifetime. [spec:
 * Authentication, 3: "valid for up to one hour"]
 */
const LONGEST_LIFE_S = 3600
/**
 * An access token is renewed this many seconds before it expires, so that it does not expire during a request.
 */
const RENEW_EARLY_S = 60

/**
 * Returns a `call` function that adds the access token to each request. If the gateway refuses the access token, the
 * request is sent once more, with a new access token.
 */
export function withToken(transport: Transport, credentials: Credentials, clock: Clock) {
  let current: { token: string; renewAt: number } | null = null
  let pending: Promise<string> | null = null
  const fresh = () => (current && clock.now() < current.renewAt ? current.token : null)

  async function renew({ family }: Endpoint<unknown>): Promise<string> {
    const requestedAt = clock.now()
    const endpoint = { ...endpoints.authenticate, family }
    const { access_token, expiresIn } = await transport(endpoint, { body: credentials })
    const life = Math.min(expiresIn ?? LONGEST_LIFE_S, LONGEST_LIFE_S)
    const renewAt = requestedAt + Math.max(life - RENEW_EARLY_S, life / 2) * 1000
    current = { token: access_token, renewAt }
    return access_token
  }

  /** Resolves with an access token for a request to the endpoint. */
  async function tokenFor(endpoint: Endpoint<unknown>): Promise<string> {
    return fresh() ?? (pending ??= renew(endpoint).finally(() => (pending = null)))
  }

  return {
    call: async <Answer>(endpoint: TokenEndpoint<Answer>, call: Call): Promise<Answer> => {
      const token = await tokenFor(endpoint)
      try {
        return await transport(endpoint, { ...call, headers: { [endpoint.token]: token } })
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code !== 'gateway_unauthorized') throw error
        // Concurrent refusals of one token cause only one renewal.
        if (current?.token === token) current = null
        return await transport(endpoint, { ...call, headers: { [endpoint.token]: await tokenFor(endpoint) } })
      }
    },
    authenticate: async (): Promise<void> => void (await tokenFor(endpoints.authenticate)),
    isAuthenticated: () => fresh() !== null,
  }
}
