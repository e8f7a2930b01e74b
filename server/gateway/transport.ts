/**
 * A row of the table of endpoints, carried out: validates what is sent, sends it, reads what comes back, and
 * sorts everything that can go wrong into the few errors of errors.ts. Knows nothing of tokens.
 */

import type { z } from 'zod'
import type { Clock } from '../clock.ts'
import type { Randomness } from '../randomness.ts'
import type { Exchange, Fetch } from '../exchange.ts'
import { backoffDelay } from '../backoff.ts'
import { AuthenticationError, CheckoutError } from '../contract/errors.ts'
import { CHECKOUT_CODE } from '../contract/status.ts'
import { exchange } from '../exchange.ts'
import { GatewayError, GatewayRefusal } from './errors.ts'

export interface TransportOptions {
  baseUrl: string
  fetch: Fetch
  clock: Clock
  randomness: Pick<Randomness, 'fraction'>
}

export interface Endpoint<Answer> {
  method: 'GET' | 'POST'
  path: string
  response: z.ZodType<Answer>
}

export interface Call {
  /** Values for the `:name` parts of the path. */
  parameters?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
  /** How often it may be sent in all. More than once only where repeating it is harmless. */
  tries: number
  signal?: AbortSignal | undefined
}

/** No exchange may take longer; three tries of it fit into what a shopper waits. */
const DEADLINE_MS = 8_000
/** The largest honest answer is a checkout with many attempts. */
const MAX_ANSWER_BYTES = 1_000_000
const RETRY = { baseMs: 300, capMs: 3_000 }

export type Transport = <Answer>(endpoint: Endpoint<Answer>, call: Call) => Promise<Answer>

export function createTransport({ baseUrl, fetch, clock, randomness }: TransportOptions): Transport {
  return async function send(endpoint, call) {
    for (let attempt = 1; ; attempt++) {
      try {
        return await sendOnce(endpoint, call)
      } catch (error) {
        if (attempt >= call.tries || !isPassing(error)) throw error
        await clock.sleep(backoffDelay(attempt, randomness.fraction(), RETRY), call.signal)
      }
    }
  }

  async function sendOnce<Answer>(endpoint: Endpoint<Answer>, call: Call): Promise<Answer> {
    const name = `${endpoint.method} ${endpoint.path}`
    const path = endpoint.path.replace(/:(\w+)/g, (_, key: string) =>
      encodeURIComponent(call.parameters?.[key] ?? ''),
    )
    const answer = await exchange(fetch, clock, {
      method: endpoint.method,
      url: baseUrl + path,
      headers: {
        accept: 'application/json',
        ...(call.body !== undefined && { 'content-type': 'application/json' }),
        ...call.headers,
      },
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
      deadlineMs: DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      signal: call.signal,
    })
    return readAnswer(name, endpoint, answer)
  }
}

/** The endpoint's answer; throws a {@link GatewayError} for everything that is not one. */
function readAnswer<Answer>(name: string, endpoint: Endpoint<Answer>, answer: Exchange): Answer {
  switch (answer.kind) {
    case 'timeout':
      throw new GatewayError('gateway_timeout', `${name} got no answer within ${DEADLINE_MS / 1000} seconds.`)
    case 'unreachable':
      throw new GatewayError('gateway_unreachable', `${name} could not reach the gateway.`, {
        cause: answer.cause,
      })
    case 'too_large':
      throw new GatewayError(
        'gateway_answer_invalid',
        `${name} was answered with more than ${MAX_ANSWER_BYTES} bytes.`,
      )
    case 'answer':
      return readBody(name, endpoint, answer.status, answer.text)
  }
}

function readBody<Answer>(name: string, endpoint: Endpoint<Answer>, status: number, text: string): Answer {
  const json = parseJson(text)
  if (status === 401 || isAuthenticationFailure(json)) {
    throw new GatewayError(
      'gateway_unauthorized',
      `${name} was answered with HTTP ${status}: not authenticated.`,
    )
  }
  const refusal = CheckoutError.safeParse(json)
  if (refusal.success && isFinal(status, refusal.data)) throw new GatewayRefusal(name, refusal.data)
  // [assumed] Any 2xx is success: the spec shows 200 for one endpoint and nothing for the others.
  if (status < 200 || status > 299) {
    throw new GatewayError('gateway_unavailable', `${name} was answered with HTTP ${status}.`)
  }
  const parsed = endpoint.response.safeParse(json)
  if (parsed.success) return parsed.data
  const problems = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'} ${issue.message}`)
  throw new GatewayError('gateway_answer_invalid', `${name} was answered with ${problems.join('; ')}.`)
}

/** Told by its code, because the HTTP status that comes with it is not fixed. [spec: Authentication, 5; Checkout errors] */
function isAuthenticationFailure(json: unknown): boolean {
  const failure = AuthenticationError.safeParse(json)
  if (failure.success) return failure.data.statusCode === 401 || failure.data.statusCode === 400
  const refusal = CheckoutError.safeParse(json)
  return refusal.success && refusal.data.status_code === CHECKOUT_CODE.invalidCredentials
}

/**
 * Whether the same request would be refused again. The error object comes with a 4xx or a 5xx
 * [spec: Checkout errors]; with a 5xx only the generic failure may pass [assumed].
 */
function isFinal(status: number, { status_code }: CheckoutError): boolean {
  if (status < 400 || status === 408 || status === 429) return false
  return status < 500 || status_code !== CHECKOUT_CODE.failure
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the same request may fare better in a moment. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof GatewayError)) return false
  switch (error.code) {
    case 'gateway_unreachable':
    case 'gateway_timeout':
    case 'gateway_unavailable':
    case 'gateway_answer_invalid':
      return true
    case 'gateway_refused':
    case 'gateway_unauthorized':
    case 'gateway_contradiction':
      return false
  }
}
