/**
 * The two questions that the element asks the merchant's BFF. Every failure is a value; nothing here throws.
 *
 * No custom request header is sent and the body is form-encoded, so that no browser asks for permission first.
 */

import { readProblem, readView } from './answer.ts'
import { failure } from './failure.ts'

import type { View } from '../server/contract/view.ts'
import type { Clock } from './clock.ts'
import type { Failure } from './failure.ts'
import type { Launch } from './launcher.ts'
import type { Payer } from './payer.ts'

/** Longest time to wait for one answer. Initiate includes the gateway's own. */
const DEADLINE_MS = 30_000

export interface Initiation extends Payer {
  order: string
  return_url: string
  launch: Launch
  lang: string
}

/** `retryAfterMs` is the server's wish when to be asked again, zero when it has none. */
export type Answer = { retryAfterMs: number } & ({ view: View } | { failure: Failure })

export interface BffClient {
  initiate(initiation: Initiation, signal: AbortSignal): Promise<Answer>
  status(checkoutId: string, signal: AbortSignal): Promise<Answer>
}

/** @param base address of the BFF without a slash at its end. */
export function createBffClient(base: string, fetch: typeof globalThis.fetch, clock: Clock): BffClient {
  return {
    initiate: (initiation, signal) =>
      ask('initiate', { method: 'POST', body: new URLSearchParams(Object.entries(initiation)) }, signal),
    status: (checkoutId, signal) =>
      ask(`status/${encodeURIComponent(checkoutId)}`, { cache: 'no-cache' }, signal),
  }

  async function ask(path: string, request: RequestInit, signal: AbortSignal): Promise<Answer> {
    const url = `${base}/checkout/${path}`
    const deadline = new AbortController()
    const abort = () => deadline.abort()
    const cancel = clock.after(DEADLINE_MS, abort)
    signal.addEventListener('abort', abort)
    try {
      const response = await fetch(url, {
        ...request,
        headers: { Accept: 'application/json' },
        credentials: 'omit',
        signal: deadline.signal,
      })
      return await read(response, url)
    } catch (error) {
      const code = deadline.signal.aborted ? 'timeout' : 'network'
      return { failure: failure(code, true, `${url} gave no answer: ${String(error)}`), retryAfterMs: 0 }
    } finally {
      cancel()
      signal.removeEventListener('abort', abort)
    }
  }
}

/** [assumed] `Retry-After` is read in seconds only, which is how the BFF sends it. */
async function read(response: Response, url: string): Promise<Answer> {
  const retryAfterMs = (Number(response.headers.get('Retry-After')) || 0) * 1000
  const body: unknown = await response.json().catch(() => null)
  const view = response.ok ? readView(body) : null
  if (view !== null) return { view, retryAfterMs }
  const problem = response.ok ? null : readProblem(body)
  const other = failure('invalid_answer', true, `${url} answered ${response.status} in an unknown shape.`)
  return { failure: problem ?? other, retryAfterMs }
}
