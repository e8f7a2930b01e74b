/**
 * Sends the element's requests to the BFF. If a request fails, its promise resolves with the failure and does not
 * reject.
 */

import { readProblem, readView } from './answer.ts'
import { failure } from './failure.ts'

import type { CheckoutView } from '../server/api/view.ts'
import type { Environment } from './environment.ts'
import type { Failure } from './failure.ts'

/** The timeout of a request to the BFF, in milliseconds. The BFF may wait for the gateway before responding. */
const DEADLINE_MS = 30_000

/**
 * The result of a request to the BFF. `retryAfterMs` is the response's `Retry-After` header in milliseconds; zero if
 * the header is missing.
 */
export type Answer = { retryAfterMs: number } & ({ view: CheckoutView } | { failure: Failure })

/** Sends a request to the BFF. Sets no header except `Accept`, so that browsers send no CORS preflight request. */
export async function askBff(
  url: string,
  request: RequestInit,
  { fetch, clock }: Environment,
  signal: AbortSignal,
): Promise<Answer> {
  const question = new AbortController()
  const abort = () => question.abort()
  const cancel = clock.after(DEADLINE_MS, abort)
  signal.addEventListener('abort', abort, question)
  try {
    const headers = { Accept: 'application/json' }
    const response = await fetch(url, { ...request, headers, credentials: 'omit', signal: question.signal })
    return await readAnswer(response)
  } catch (error) {
    const code = question.signal.aborted ? 'timeout' : 'network'
    return { failure: failure(code, true, String(error)), retryAfterMs: 0 }
  } finally {
    cancel()
    abort()
  }
}

/**
 * Parses the `Retry-After` header and the body of a response. Also parses a server-sent event of the BFF: the caller
 * then passes a `Response` whose body is the event's data.
 */
export async function readAnswer(response: Response): Promise<Answer> {
  // [assumed] The BFF sends `Retry-After` in seconds, never as a date.
  const retryAfterMs = (Number(response.headers.get('Retry-After')) || 0) * 1000
  return { ...read(await response.json().catch(() => null), response), retryAfterMs }
}

function read(body: unknown, { ok, status }: Response): { view: CheckoutView } | { failure: Failure } {
  const view = ok && readView(body)
  if (view) return { view }
  const message = `HTTP ${status}`
  return { failure: (!ok && readProblem(body)) || failure('invalid_answer', true, message) }
}
