/** Sends requests to the merchant's BFF. Failures are returned as values; promises never reject. */

import { readProblem, readView } from './answer.ts'
import { failure } from './failure.ts'

import type { CheckoutView } from '../server/api/view.ts'
import type { Environment } from './environment.ts'
import type { Failure } from './failure.ts'

/** The timeout of one request in milliseconds. The BFF may wait for the gateway before it responds. */
const DEADLINE_MS = 30_000

/** The result of one request. `retryAfterMs` is the `Retry-After` header in milliseconds; zero without the header. */
export type Answer = { retryAfterMs: number } & ({ view: CheckoutView } | { failure: Failure })

/** Sends a request to the BFF. Its only header is `Accept`, so that browsers send no CORS preflight request. */
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

/** Parses a response of the BFF. The data of a stream event is passed as the body of a new `Response`. */
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
