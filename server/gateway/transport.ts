/**
 * A row of the table of endpoints, carried out: sent within a deadline, and again where that is harmless.
 * Knows nothing of tokens.
 */

import type { Clock } from '../clock.ts'
import type { Randomness } from '../randomness.ts'
import type { Fetch } from '../exchange.ts'
import type { Endpoint } from './answer.ts'
import type { GatewayErrorCode } from './errors.ts'
import { backoffDelay } from '../backoff.ts'
import { exchange } from '../exchange.ts'
import { readAnswer } from './answer.ts'
import { GatewayError } from './errors.ts'

export interface TransportOptions {
  baseUrl: string
  fetch: Fetch
  clock: Clock
  randomness: Pick<Randomness, 'fraction'>
  /** Told of each exchange when it is over, for logs and metrics. */
  onExchange?: (exchange: ExchangeFacts) => void
}

/** What may be written down of an exchange: never a token, an address with a reference in it, or a body. */
export interface ExchangeFacts {
  method: string
  /** As in the table of endpoints, with `:name` for what varies. */
  path: string
  /** Of the answer; `null` when none came. */
  status: number | null
  /** Why it brought no answer to use, or `null` when it did. */
  code: GatewayErrorCode | null
  ms: number
}

export interface Call {
  /** Values for the `:name` parts of the path. */
  parameters?: Record<string, string>
  query?: Record<string, string>
  /** Another address than the gateway's usual one. */
  baseUrl?: string | undefined
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

export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, fetch, clock, randomness, onExchange } = options

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
    const query = call.query ? `?${new URLSearchParams(call.query)}` : ''
    const begun = clock.now()
    const answer = await exchange(fetch, clock, {
      method: endpoint.method,
      url: (call.baseUrl ?? baseUrl) + path + query,
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
    const facts = { method: endpoint.method, path: endpoint.path, ms: clock.now() - begun }
    const status = answer.kind === 'answer' ? answer.status : null
    try {
      const read = readAnswer(name, endpoint, answer)
      onExchange?.({ ...facts, status, code: null })
      return read
    } catch (error) {
      if (error instanceof GatewayError) onExchange?.({ ...facts, status, code: error.code })
      throw error
    }
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
