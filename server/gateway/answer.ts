/** What the gateway answered, sorted: the endpoint's answer, or one of the few errors of errors.ts. Pure. */

import type { z } from 'zod'
import type { Exchange } from '../exchange.ts'
import { AuthenticationError, CheckoutError } from '../contract/errors.ts'
import { Acknowledgement } from '../contract/payout.ts'
import { CHECKOUT_CODE } from '../contract/status.ts'
import { parseJson } from '../json.ts'
import { GatewayError, GatewayRefusal } from './errors.ts'

/** A row of the table of endpoints, as far as an answer to it goes. */
export interface Endpoint<Answer> {
  method: 'GET' | 'POST'
  path: string
  /** What tells success from refusal: the HTTP status, or the code in the body. */
  decides: 'http' | 'body'
  response: z.ZodType<Answer>
}

/** The endpoint's answer; throws a {@link GatewayError} for everything that is not one. */
export function readAnswer<Answer>(name: string, endpoint: Endpoint<Answer>, answer: Exchange): Answer {
  switch (answer.kind) {
    case 'timeout':
      throw new GatewayError('gateway_timeout', `${name} got no answer in time.`)
    case 'unreachable':
      throw new GatewayError('gateway_unreachable', `${name} could not reach the gateway.`, {
        cause: answer.cause,
      })
    case 'too_large':
      throw new GatewayError('gateway_answer_invalid', `${name} was answered with too many bytes.`)
    case 'answer':
      return readBody(name, endpoint, answer.status, answer.text)
  }
}

function readBody<Answer>(name: string, endpoint: Endpoint<Answer>, status: number, text: string): Answer {
  const json = parseJson(text)
  const rejection = endpoint.decides === 'body' ? readTokenRejection(json) : null
  if (status === 401 || rejection || isAuthenticationFailure(json)) {
    const message = `${name} was answered with HTTP ${status}: not authenticated. Each environment has a consumer key and secret of its own.`
    throw new GatewayError('gateway_unauthorized', message, { rejection })
  }
  if (endpoint.decides === 'body') return readDecision(name, endpoint, status, json)
  const refusal = CheckoutError.safeParse(json)
  if (refusal.success && isFinal(status, refusal.data)) throw new GatewayRefusal(name, refusal.data)
  return readResult(name, endpoint, status, json)
}

/** [spec: Payout acknowledgement codes] The HTTP status that comes with 720 to 723 is not shown. */
function readDecision<Answer>(
  name: string,
  endpoint: Endpoint<Answer>,
  status: number,
  json: unknown,
): Answer {
  const decided = endpoint.response.safeParse(json)
  if (decided.success) return decided.data
  const refusal = Acknowledgement.safeParse(json)
  if (!refusal.success) return readResult(name, endpoint, status, json)
  const { response_code, response_description, error_code } = refusal.data
  throw new GatewayRefusal(name, {
    status_code: response_code,
    status_description: response_description,
    message: error_code ?? '',
  })
}

function readResult<Answer>(name: string, endpoint: Endpoint<Answer>, status: number, json: unknown): Answer {
  // [assumed] Any 2xx is success: the spec shows 200 for one endpoint and nothing for the others.
  if (status < 200 || status > 299) {
    throw new GatewayError('gateway_unavailable', `${name} was answered with HTTP ${status}.`)
  }
  const parsed = endpoint.response.safeParse(json)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'} ${issue.message}`)
  throw new GatewayError('gateway_answer_invalid', `${name} was answered with ${problems.join('; ')}.`)
}

/** Told by its code, because the HTTP status that comes with it is not fixed. [spec: Authentication, 5; Errors] */
function isAuthenticationFailure(json: unknown): boolean {
  const failure = AuthenticationError.safeParse(json)
  if (failure.success) {
    const { statusCode, message } = failure.data
    // Other frameworks' validation errors have the same shape; only the message tells this one.
    return statusCode === 401 || (statusCode === 400 && /authenticat/i.test(message))
  }
  const refusal = CheckoutError.safeParse(json)
  return refusal.success && refusal.data.status_code === CHECKOUT_CODE.invalidCredentials
}

/** [spec: Payout error_code values] */
function readTokenRejection(json: unknown): Acknowledgement | null {
  const { data } = Acknowledgement.safeParse(json)
  return data && ['INVALID_ACCESS_TOKEN', 'UNAUTHORIZED'].includes(data.error_code ?? '') ? data : null
}

/**
 * Whether the same request would be refused again. The error object comes with a 4xx or a 5xx
 * [spec: Checkout errors]; with a 5xx only the generic failure may pass [assumed].
 */
function isFinal(status: number, { status_code }: CheckoutError): boolean {
  if (status < 400 || status === 408 || status === 429) return false
  return status < 500 || status_code !== CHECKOUT_CODE.failure
}
