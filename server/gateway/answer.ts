/**
 * Reads the gateway's HTTP response to a request: the parsed body, or the {@link GatewayError} that says why there is
 * none. Pure.
 */

import { joinProblems } from '../api/refusal.ts'
import { AuthenticationError, CheckoutError } from '../contract/errors.ts'
import { NOT_JSON, parseJson, withLongNumbersAsText, explain } from '../contract/parse.ts'
import { Acknowledgement } from '../contract/payout.ts'
import { CHECKOUT_CODE } from '../contract/status.ts'
import { contradicts } from './echo.ts'
import { nameOf } from './endpoint.ts'
import { GatewayError, GatewayRefusal } from './errors.ts'

import type { Exchange, Mask } from '../http/exchange.ts'
import type { Endpoint } from './endpoint.ts'

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

/** The fields that the gateway writes for people. Only they may contain a secret, so no other field is changed. */
const WORDS: ReadonlySet<string> = new Set([
  'status_description',
  'response_description',
  'result_description',
  'receiver_narration',
  'message',
  'error_code',
])

/** Returns the JSON value with the secrets in the gateway's words masked. JSON is decoded first: it may escape a secret. */
function withWordsMasked(json: unknown, mask: Mask): unknown {
  if (typeof json !== 'object' || json === null) {
    return json
  }
  if (Array.isArray(json)) {
    return json.map((entry) => withWordsMasked(entry, mask))
  }

  const masked = Object.entries(json).map(([name, value]: [string, unknown]) => {
    const isWords = WORDS.has(name) && typeof value === 'string'
    return [name, isWords ? mask(value) : withWordsMasked(value, mask)]
  })
  return Object.fromEntries(masked)
}

/** The error code by the reason why no response arrived. */
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

/**
 * Compares the fields that the gateway repeats in its response (`echoes`) with the request. Returns the name of the
 * first field that differs; `undefined` if no field differs.
 */
function findContradiction({ echoes }: Endpoint<unknown>, requested: object, answer: unknown) {
  const expected = valuesOf(requested)
  const echoed = valuesOf(answer)
  const fields = Object.entries(echoes).map(([field, requestField]) => ({ field, requestField }))
  const contradicting = fields.find(({ field, requestField }) =>
    contradicts(echoed.get(field) ?? null, expected.get(requestField) ?? null),
  )
  return contradicting?.field
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

/** An HTTP response, as far as it decides what its body means. */
type HttpAnswer = Pick<Extract<Exchange, { kind: 'answer' }>, 'status' | 'summary'>

function readBody<Answer>(endpoint: Endpoint<Answer>, response: HttpAnswer, json: unknown): Answer {
  const name = nameOf(endpoint)
  const { status } = response
  // The acknowledgement code decides whether the request succeeded. The HTTP status does not, because the spec gives no
  // HTTP status for the codes 720 to 723. [spec: Payout acknowledgement codes]
  const acknowledgement = endpoint.decides === 'body' ? readAcknowledgement(json) : null

  const tokenRejection = isTokenRejected(acknowledgement) ? acknowledgement : null
  if (status === 401 || tokenRejection !== null || isAuthenticationFailure(json)) {
    const message = `${name} was answered with HTTP ${status}: not authenticated. Each environment has a consumer key and secret of its own.`
    throw new GatewayError('gateway_unauthorized', message, { rejection: tokenRejection })
  }

  // The spec shows HTTP 200 for one endpoint, and no HTTP status for the other endpoints. [assumed] Any 2xx is success,
  // unless it has an error code of the spec.
  const isSuccess = status >= 200 && status <= 299
  const errorCode = isSuccess ? errorCodeIn(json) : null
  if (errorCode !== null) {
    const message = `${name} was answered as if it had succeeded, with the error ${errorCode}.`
    throw new GatewayError('gateway_answer_invalid', message)
  }

  const parsed = endpoint.response.safeParse(json)
  if (parsed.success && endpoint.decides === 'body') {
    return parsed.data
  }

  const refusal = acknowledgement ? refusalOf(acknowledgement) : readRefusal(endpoint, status, json)
  // Nothing in the request for a token can be unknown to the gateway but its path.
  const advice = status === 404 && endpoint.token === null ? CHECK_THE_PATH : ''
  if (refusal) {
    throw new GatewayRefusal(name, refusal, advice)
  }
  if (!isSuccess) {
    throw new GatewayError('gateway_unavailable', `${name}: the gateway ${response.summary}.${advice}`)
  }
  if (parsed.success) {
    return parsed.data
  }
  throw unreadable(endpoint, json)
}

function readAcknowledgement(json: unknown): Acknowledgement | null {
  return Acknowledgement.safeParse(json).data ?? null
}

/**
 * Returns whether the gateway rejects a payout or airtime request because of the access token. [spec: Payout error_code
 * values]
 */
function isTokenRejected(acknowledgement: Acknowledgement | null): boolean {
  const error_code = acknowledgement?.error_code
  return error_code === 'INVALID_ACCESS_TOKEN' || error_code === 'UNAUTHORIZED'
}

/** Returns the error code of the spec in a body; `null` if it has none. */
function errorCodeIn(json: unknown): number | null {
  if (!isObjectWith('status_code', json)) {
    return null
  }

  const code = CheckoutError.safeParse(json).data?.status_code
  return code !== undefined && ERROR_CODES.includes(code) ? code : null
}

// Most responses contain no code. A failed `safeParse` would be slow, because it creates an error.
function isObjectWith(field: string, json: unknown): boolean {
  return typeof json === 'object' && json !== null && field in json
}

const CHECK_THE_PATH =
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

  return CheckoutError.safeParse(json).data?.status_code === CHECKOUT_CODE.invalidCredentials
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
