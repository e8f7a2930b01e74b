/**
 * The two questions that the element asks the merchant's BFF. Every failure is a value; nothing here throws.
 *
 * No custom request header is sent and the body is form-encoded, so that no browser asks for permission first.
 */

import { isRecord, readProblem, readView } from './answer.ts'
import { failure } from './failure.ts'

import type { View } from '../server/contract/view.ts'
import type { Clock } from './clock.ts'
import type { Failure } from './failure.ts'
import type { Launch } from './launcher.ts'
import type { Payer } from './payer.ts'

/** Longest time to wait for one answer. Initiate includes the gateway's own answer. */
const DEADLINE_MS = 30_000

export interface Initiation extends Payer {
  order: string
  return_url: string
  launch: Launch
  lang: string
}

/** `retryAfterMs` is the server's wish when to be asked again, `null` when it has none. */
export type Answer = { retryAfterMs: number | null } & (
  | { ok: true; view: View }
  | { ok: false; failure: Failure }
)

export interface BffClient {
  initiate(initiation: Initiation, signal: AbortSignal): Promise<Answer>
  status(checkoutId: string, signal: AbortSignal): Promise<Answer>
}

/** @param base address of the BFF without a slash at its end. */
export function createBffClient(base: string, fetch: typeof globalThis.fetch, clock: Clock): BffClient {
  return {
    initiate: (initiation, signal) =>
      ask(
        `${base}/checkout/initiate`,
        { method: 'POST', body: new URLSearchParams(Object.entries(initiation)) },
        signal,
      ),
    status: (checkoutId, signal) =>
      ask(`${base}/checkout/status/${encodeURIComponent(checkoutId)}`, { cache: 'no-cache' }, signal),
  }

  async function ask(url: string, request: RequestInit, signal: AbortSignal): Promise<Answer> {
    const deadline = new AbortController()
    const abort = () => deadline.abort()
    const cancelDeadline = clock.after(DEADLINE_MS, abort)
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()
    try {
      const response = await fetch(url, {
        ...request,
        headers: { Accept: 'application/json' },
        credentials: 'omit',
        signal: deadline.signal,
      })
      return await read(response)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      return unanswered(
        deadline.signal.aborted
          ? failure('timeout', true, `${url} did not answer within ${DEADLINE_MS / 1000} seconds.`)
          : failure('network', true, `${url} could not be reached: ${reason}`),
      )
    } finally {
      cancelDeadline()
      signal.removeEventListener('abort', abort)
    }
  }
}

async function read(response: Response): Promise<Answer> {
  const retryAfterMs = readRetryAfter(response.headers.get('Retry-After'))
  const body: unknown = await response.json().catch(() => null)
  const view = response.ok ? readView(body) : null
  if (view !== null) return { ok: true, view, retryAfterMs }

  const problem = response.ok ? null : readProblem(body)
  return {
    ok: false,
    retryAfterMs,
    failure:
      problem ??
      failure(
        'invalid_answer',
        true,
        `${response.url} answered ${response.status} with ${isRecord(body) ? 'an unknown shape' : 'no JSON'}.`,
      ),
  }
}

function unanswered(cause: Failure): Answer {
  return { ok: false, failure: cause, retryAfterMs: null }
}

/** Only the form in seconds is read: it is what the BFF sends. */
function readRetryAfter(header: string | null): number | null {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1000 : null
}
