/**
 * Sends requests to the gateway's endpoints. Each attempt to send a request has a deadline. A failed request is sent
 * again if its endpoint is `retryable`. Converts the HTTP response to a result, or throws a {@link GatewayError}.
 */

import { joinProblems } from '../api/refusal.ts'
import { AuthenticationError, CheckoutError } from '../contract/errors.ts'
import { contradicts } from '../contract/fields.ts'
import { NOT_JSON, parseJson, withLongNumbersAsText, explain } from '../contract/parse.ts'
import { Acknowledgement } from '../contract/payout.ts'
import { CHECKOUT_CODE } from '../contract/status.ts'
import { createTraceHeaders, exchange, isNotConnected, readRetryAfter } from '../http/exchange.ts'
import { backoffDelay } from '../work/breaker.ts'
import { GatewayError, GatewayRefusal } from './errors.ts'
import { createDateReader, skewOf } from './gateway-clock.ts'

import type { Family } from '../contract/endpoints.ts'
import type { Fetch, Exchange, Mask } from '../http/exchange.ts'
import type { Clock } from '../work/clock.ts'
import type { Randomness } from '../work/randomness.ts'
import type { GatewayErrorCode } from './errors.ts'
import type { OnDate } from './gateway-clock.ts'
import type { z } from 'zod'

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
        if (!endpoint.retryable || attempt >= ATTEMPTS || !isTemporary) {
          throw error
        }

        await clock.sleep(backoffDelay(attempt, randomness.fraction(), RETRY), call.signal)
        if (onAttempt?.({ ...request, isRetry: true }) === false) {
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
    const { status, headers: answered } =
      exchanged.kind === 'answer' ? exchanged : { status: null, headers: undefined }
    const endedAt = clock.now()
    const ms = endedAt - startedAt
    const wait_ms = status === 429 ? readRetryAfter(answered, endedAt) : null
    const { date: stated, is_still: is_date_still } = readDate(answered)
    const date = is_date_still ? null : stated
    const trace_id = traceId
    const facts = { method, path, status, code: null, ms, trace_id, skew_ms: null, is_date_still, wait_ms }
    onDate?.(date)
    try {
      const answer = readAnswer(endpoint, { ...parameters, ...query, ...body }, exchanged)
      const skew_ms = call.baseUrl === undefined ? skewOf(date, answered, startedAt, endedAt) : null
      onExchange?.({ ...facts, skew_ms }, endpoint)
      return answer
    } catch (error) {
      if (error instanceof GatewayError) {
        onExchange?.({ ...facts, code: error.code }, endpoint)
        if (!isUnexecuted(exchanged, error)) {
          call.onDoubt?.()
        }
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

/** Error codes after which a retry of the request may succeed. */
const TEMPORARY: readonly GatewayErrorCode[] = [
  'gateway_unreachable',
  'gateway_timeout',
  'gateway_unavailable',
  'gateway_answer_invalid',
  'gateway_answer_unreadable',
]

/**
 * The settings of an endpoint of the gateway. `contract/endpoints.ts` explains these fields, and defines all endpoints.
 */
export interface Endpoint<Answer> {
  family: Family | null
  method: 'GET' | 'POST'
  path: string
  token: string | null
  decides: 'http' | 'body'
  refusal: 'any' | '4xx' | 'listed'
  response: z.ZodType<Answer>
  retryable: boolean
  unknownCode: number | null
  echoes: Readonly<Record<string, string>>
}

/**
 * Validates the gateway's response and returns the parsed body.
 *
 * @param requested The fields of the request (from its body, query and path), by field name.
 * @param exchanged The HTTP response, or the reason why no response arrived.
 * @throws {GatewayError} if the response is missing, reports a failure, is invalid, or contradicts the request.
 */
export function readAnswer<Answer>(
  endpoint: Endpoint<Answer>,
  requested: object,
  exchanged: Exchange,
): Answer {
  if (exchanged.kind !== 'answer') {
    const message = `${nameOf(endpoint)}: the gateway ${exchanged.summary}.`
    const cause = 'cause' in exchanged ? { cause: exchanged.cause } : {}
    throw new GatewayError(NO_ANSWER[exchanged.kind], message, cause)
  }

  const json = parseJson(withLongNumbersAsText(exchanged.text))
  const answer = readBody(endpoint, exchanged, withWordsMasked(json, exchanged.mask))
  const field = findContradiction(endpoint, requested, answer)
  if (field !== undefined) {
    throw contradiction(endpoint, field)
  }
  return answer
}

/** The fields that the gateway writes for people. Only they may be changed: no other field is told as words. */
const WORDS: ReadonlySet<string> = new Set([
  'status_description',
  'response_description',
  'result_description',
  'receiver_narration',
  'message',
  'error_code',
])

/** Returns the JSON value with the gateway's words without secrets. They are masked here, after JSON was decoded. */
function withWordsMasked(json: unknown, mask: Mask): unknown {
  if (typeof json !== 'object' || json === null) {
    return json
  }
  if (Array.isArray(json)) {
    return json.map((entry) => withWordsMasked(entry, mask))
  }

  return Object.fromEntries(
    Object.entries(json).map(([name, value]: [string, unknown]) => [
      name,
      WORDS.has(name) && typeof value === 'string' ? mask(value) : withWordsMasked(value, mask),
    ]),
  )
}

const NO_ANSWER = {
  timeout: 'gateway_timeout',
  unreachable: 'gateway_unreachable',
  too_large: 'gateway_answer_unreadable',
} as const

/** @param takenAs The gateway's id of what it took all the same. */
export function contradiction(endpoint: Endpoint<unknown>, field: string, takenAs?: string): GatewayError {
  const message = `The gateway's answer to ${nameOf(endpoint)} has a different ${field} than requested.`
  return new GatewayError('gateway_contradiction', message, { ...(takenAs !== undefined && { takenAs }) })
}

function nameOf({ method, path }: Endpoint<unknown>): string {
  return `${method} ${path}`
}

/**
 * Compares the fields that the gateway repeats in its response (`echoes`) with the request. Returns the name of the
 * first field that differs; `undefined` if no field differs.
 */
function findContradiction({ echoes }: Endpoint<unknown>, requested: object, answer: unknown) {
  const expected = valuesOf(requested)
  const echoed = valuesOf(answer)
  return Object.entries(echoes).find(([field, requestField]) =>
    contradicts(echoed.get(field) ?? null, expected.get(requestField) ?? null),
  )?.[0]
}

/** Returns the values of a body that can be echoed: text and numbers. */
function valuesOf(body: unknown): Map<string, string | number> {
  const entries: [string, unknown][] = typeof body === 'object' && body !== null ? Object.entries(body) : []
  return new Map(
    entries.flatMap(([field, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[field, value] as const] : [],
    ),
  )
}

function readBody<Answer>(
  endpoint: Endpoint<Answer>,
  { status, summary }: Pick<Extract<Exchange, { kind: 'answer' }>, 'status' | 'summary'>,
  json: unknown,
): Answer {
  const name = nameOf(endpoint)
  // The acknowledgement code decides whether the request succeeded. The HTTP status does not, because the spec gives no
  // HTTP status for the codes 720 to 723. [spec: Payout acknowledgement codes]
  const decision = endpoint.decides === 'body' ? Acknowledgement.safeParse(json).data : undefined
  const rejection = decision && TOKEN_REJECTED.includes(decision.error_code) ? decision : null
  if (status === 401 || rejection || isAuthenticationFailure(json)) {
    const message = `${name} was answered with HTTP ${status}: not authenticated. Each environment has a consumer key and secret of its own.`
    throw new GatewayError('gateway_unauthorized', message, { rejection })
  }

  // The spec shows HTTP 200 for one endpoint, and no HTTP status for the other endpoints. [assumed] Any 2xx is success,
  // unless it has an error code of the spec.
  const isSuccess = status >= 200 && status <= 299
  const code = isSuccess ? errorCodeIn(json) : null
  if (code !== null) {
    const message = `${name} was answered as if it had succeeded, with the error ${code}.`
    throw new GatewayError('gateway_answer_invalid', message)
  }

  const parsed = endpoint.response.safeParse(json)
  if (parsed.success && endpoint.decides === 'body') {
    return parsed.data
  }

  const refusal = decision ? refusalOf(decision) : readRefusal(endpoint, status, json)
  // Nothing in the request for a token can be unknown to the gateway but its path.
  const cure = status === 404 && endpoint.token === null ? CURE_OF_PATH : ''
  if (refusal) {
    throw new GatewayRefusal(name, refusal, cure)
  }
  if (!isSuccess) {
    throw new GatewayError('gateway_unavailable', `${name}: the gateway ${summary}.${cure}`)
  }
  if (parsed.success) {
    return parsed.data
  }
  throw unreadable(endpoint, json)
}

/** Returns the error code of the spec in a body; `null` if it has none. */
function errorCodeIn(json: unknown): number | null {
  const code = isObjectWith('status_code', json) ? CheckoutError.safeParse(json).data?.status_code : undefined
  return code !== undefined && ERROR_CODES.includes(code) ? code : null
}

// Most responses contain no code. A failed `safeParse` would be slow, because it creates an error.
function isObjectWith(field: string, json: unknown): boolean {
  return typeof json === 'object' && json !== null && field in json
}

const CURE_OF_PATH =
  ' Correct the path of GATEWAY_BASE_URL: the gateway has nothing at the path that was appended to it.'

/**
 * Returns the error of a 2xx whose body does not match the endpoint's schema. A JSON object comes from the gateway, and
 * the error names its wrong fields; anything else, such as HTML, comes from what stands in place of a gateway that is
 * away.
 */
function unreadable(endpoint: Endpoint<unknown>, json: unknown): GatewayError {
  const name = nameOf(endpoint)
  if (typeof json !== 'object' || json === null) {
    return new GatewayError('gateway_answer_unreadable', `${name} was answered with text that ${NOT_JSON}.`)
  }

  const { issues = [] } = explain(endpoint.response, json).error ?? {}
  const problems = issues.map(({ path, message }) => `${path.join('.') || 'body'} ${message}`)
  return new GatewayError('gateway_answer_invalid', `${name} was answered with ${joinProblems(problems)}.`)
}

/**
 * The values of `error_code` with which the gateway rejects a payout or airtime request because of the access token.
 * [spec: Payout error_code values]
 */
const TOKEN_REJECTED: readonly (string | null)[] = ['INVALID_ACCESS_TOKEN', 'UNAUTHORIZED']

function refusalOf({ response_code, response_description, error_code }: Acknowledgement): CheckoutError {
  const message = error_code ?? ''
  return { status_code: response_code, status_description: response_description, message }
}

/**
 * The message of failed authentication. Other messages that mention authentication may be about the payer. [assumed]
 * The gateway may also say "Incorrect consumerKey and consumerSecret combination".
 */
const AUTHENTICATION_MESSAGE = /^invalid authentication credentials\b|consumer_?key.*consumer_?secret/i

/**
 * Returns whether the body reports failed authentication. The HTTP status is not checked here, because the gateway
 * reports failed authentication with different statuses. [spec: Authentication, 5; Errors]
 */
function isAuthenticationFailure(json: unknown): boolean {
  if (!isObjectWith('statusCode', json) && !isObjectWith('status_code', json)) {
    return false
  }

  const failure = AuthenticationError.safeParse(json)
  if (failure.success) {
    const { statusCode, message } = failure.data
    // Validation errors may have the same fields, but other messages.
    return statusCode === 401 || (statusCode === 400 && AUTHENTICATION_MESSAGE.test(message))
  }

  const refusal = CheckoutError.safeParse(json)
  return refusal.success && refusal.data.status_code === CHECKOUT_CODE.invalidCredentials
}

/**
 * Returns the gateway's error object if the gateway refused the request; `null` if the response is not a refusal, if a
 * retry may succeed, or if the gateway may have executed the request all the same. A refusal may have a 4xx or a 5xx
 * status. [spec: Checkout errors]
 */
function readRefusal(
  { decides, refusal }: Endpoint<unknown>,
  status: number,
  json: unknown,
): CheckoutError | null {
  if (decides !== 'http' || status < 400 || status === 408 || status === 429) {
    return null
  }

  const { data } = CheckoutError.safeParse(json)
  return data && isDefinite(refusal, status, data.status_code) ? data : null
}

/**
 * Returns whether an error object shows that the gateway did not execute the request.
 *
 * [assumed] With a 5xx status, only the generic failure (174) is temporary. For a request that moves money (`4xx` and
 * `listed`), an error object with a 5xx status shows nothing, because a proxy may have sent it. An error object with a
 * code of success shows nothing either.
 */
function isDefinite(refusal: Endpoint<unknown>['refusal'], status: number, code: number): boolean {
  switch (refusal) {
    case 'any':
      return status < 500 || code !== CHECKOUT_CODE.failure
    case '4xx':
      return status < 500 && !SUCCESS_CODES.includes(code)
    case 'listed':
      return status < 500 && ERROR_CODES.includes(code)
  }
}

const SUCCESS_CODES: readonly number[] = [
  CHECKOUT_CODE.authenticated,
  CHECKOUT_CODE.success,
  CHECKOUT_CODE.chargePosted,
]
const ERROR_CODES = Object.values<number>(CHECKOUT_CODE).filter((code) => !SUCCESS_CODES.includes(code))
