/**
 * A row of the table of endpoints, carried out: sent within a deadline, and again where that is harmless.
 * Knows nothing of tokens.
 */

import type { Clock } from '../clock.ts'
import type { Randomness } from '../randomness.ts'
import type { Fetch } from '../exchange.ts'
import type { Endpoint } from './answer.ts'
import { backoffDelay } from '../backoff.ts'
import { exchange } from '../exchange.ts'
import { readAnswer } from './answer.ts'
import { GatewayError } from './errors.ts'

export interface TransportOptions {
  baseUrl: string
  fetch: Fetch
  clock: Clock
  randomness: Pick<Randomness, 'fraction'>
}

export interface Call {
  /** Values for the `:name` parts of the path. */
  parameters?: Record<string, string>
  query?: Record<string, string>
  /** Another address than the gateway's usual one. */
  baseUrl?: string
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
    const query = call.query ? `?${new URLSearchParams(call.query)}` : ''
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
    return readAnswer(name, endpoint, answer)
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
