/**
 * Sends the element's requests to the BFF. If a request fails, its promise resolves with the failure and does not
 * reject.
 */

import { failure } from '../state/failure.ts'
import { readMethods, readProblem, readView } from './answer.ts'

import type { CheckoutMethods, CheckoutView } from '../../server/api/view.ts'
import type { Environment } from '../button/environment.ts'
import type { Failure } from '../state/failure.ts'

/**
 * The timeout of a request to the BFF, in milliseconds. The BFF may wait for the gateway before responding. The
 * console's message `timeout` names this time: change both together.
 */
const DEADLINE_MS = 30_000
/** The maximum wait before a request that the BFF refused with 429 is repeated, in milliseconds. */
const LONGEST_WAIT_MS = 60_000
/** The maximum number of repetitions of a request that the BFF refuses with 429. [assumed] */
const REPETITIONS = 3

/**
 * The result of a request to the BFF. `retryAfterMs` is the response's `Retry-After` header in milliseconds; zero if
 * the header is missing.
 */
export type Answer = { view: CheckoutView; retryAfterMs: number } | Failed
interface Failed {
  failure: Failure
  retryAfterMs: number
}

/** Returns the request that sends a form: as text, because scripts of a page that replace `fetch` write objects as JSON. */
export function post(form: URLSearchParams): RequestInit {
  return { method: 'POST', body: String(form) }
}

/** Sends a request to the BFF about a checkout. */
export function askBff(
  url: string,
  request: RequestInit,
  environment: Environment,
  signal: AbortSignal,
): Promise<Answer> {
  return ask(url, request, environment, signal, readAnswer)
}

/** Asks the BFF which operators phone numbers belong to. `null` if it does not say: nothing depends on it. */
export async function askMethods(
  url: string,
  environment: Environment,
  signal: AbortSignal,
): Promise<CheckoutMethods | null> {
  const read = async (response: Response) => readMethods(await response.json())
  const answer = await ask(url, {}, environment, signal, read)
  return answer && 'methods' in answer ? answer : null
}

/**
 * Sends a request to the BFF, without a header that causes a CORS preflight request. Cookies and passwords go to a BFF
 * of the page's own origin only, where a gate before a site under construction asks for them.
 */
async function ask<Read>(
  url: string,
  request: RequestInit,
  { fetch, clock }: Environment,
  signal: AbortSignal,
  read: (response: Response, url: string) => Promise<Read>,
): Promise<Read | Failed> {
  const attempt = new AbortController()
  const abort = () => attempt.abort()
  const cancel = clock.after(DEADLINE_MS, abort)
  signal.addEventListener('abort', abort, { signal: attempt.signal })
  try {
    // Scripts of a page that replace `fetch` add the type of JSON to requests without one.
    const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' }
    const response = await fetch(url, { ...request, headers, signal: attempt.signal })
    return await read(response, url)
  } catch (error) {
    const code = attempt.signal.aborted ? 'timeout' : 'network'
    return { failure: failure(code, String(error)), retryAfterMs: 0 }
  } finally {
    cancel()
    // Removes the listener, too.
    abort()
  }
}

/**
 * Sends a request to the BFF, and passes the result to `receive`. If the BFF responds with 429 and a `Retry-After` of
 * at most one minute, sends the request again after this time, at most `repetitions` times.
 */
export async function askUntilAdmitted(
  url: string,
  request: RequestInit,
  receive: (answer: Answer) => void,
  environment: Environment,
  signal: AbortSignal,
  repetitions = REPETITIONS,
): Promise<void> {
  const answer = await askBff(url, request, environment, signal)
  const { retryAfterMs } = answer
  const isLimited = 'failure' in answer && answer.failure.code === 'too_many_requests'
  if (isLimited && repetitions && retryAfterMs && retryAfterMs <= LONGEST_WAIT_MS) {
    const repeat = () => void askUntilAdmitted(url, request, receive, environment, signal, repetitions - 1)
    signal.addEventListener('abort', environment.clock.after(retryAfterMs, repeat))
  } else {
    receive(answer)
  }
}

/**
 * Parses the `Retry-After` header and the body of a response. Also parses a server-sent event of the BFF: the caller
 * then passes a `Response` whose body is the event's data.
 */
export async function readAnswer(response: Response, url: string): Promise<Answer> {
  const { ok, status, headers } = response
  // [assumed] The BFF sends `Retry-After` in seconds, never as a date.
  const retryAfterMs = (Number(headers.get('Retry-After')) || 0) * 1000
  const body: unknown = await response.json().catch(() => null)
  const view = ok && readView(body)
  if (view) {
    return { view, retryAfterMs }
  }

  const problem = !ok && readProblem(body)
  return { failure: problem || failure('invalid_answer', `HTTP ${status} from ${url}`), retryAfterMs }
}
