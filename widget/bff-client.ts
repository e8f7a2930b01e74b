/** What the element asks the merchant's BFF. Every failure is a value; nothing here throws. */

import { readProblem, readView } from './answer.ts'
import { failure } from './failure.ts'

import type { View } from '../server/contract/view.ts'
import type { Environment } from './environment.ts'
import type { Failure } from './failure.ts'

/** Longest time to wait for one answer. Initiate includes the gateway's own. */
const DEADLINE_MS = 30_000

/** `retryAfterMs` is the server's wish when to be asked again, zero when it has none. */
export type Answer = { retryAfterMs: number } & ({ view: View } | { failure: Failure })

/** No custom request header is sent, so that no browser asks for permission first. */
export async function askBff(
  url: string,
  request: RequestInit,
  { fetch, clock }: Environment,
  signal: AbortSignal,
): Promise<Answer> {
  const deadline = new AbortController()
  const abort = () => deadline.abort()
  const cancel = clock.after(DEADLINE_MS, abort)
  signal.addEventListener('abort', abort, deadline)
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
    abort()
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
