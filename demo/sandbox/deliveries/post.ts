/** One attempt to deliver a callback: within a deadline, without redirects, and without reading the answer. */

import type { Agenda } from '../agenda.ts'

/** The part of `fetch` that deliveries use; the global one and a Hono app's `request` satisfy it. */
export type SandboxFetch = (
  url: string,
  init: {
    method: 'POST'
    headers: Record<string, string>
    body: string
    redirect: 'manual'
    signal: AbortSignal
  },
) => Response | Promise<Response>

export type AttemptOutcome = { status: number } | { error: string }

/** [assumed] How long a target may take to answer. */
export const DEADLINE_MS = 10_000

export interface PostOptions {
  agenda: Agenda
  fetch: SandboxFetch
}

export async function post(
  { url, body }: { url: string; body: string },
  { agenda, fetch }: PostOptions,
): Promise<AttemptOutcome> {
  const deadline = new AbortController()
  const cancel = agenda.after(DEADLINE_MS, () =>
    deadline.abort(new Error(`No answer within ${DEADLINE_MS} ms.`)),
  )
  try {
    const response = await Promise.race([
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        // A redirect could lead to an address that is not allowed; its status is simply not 200.
        redirect: 'manual',
        signal: deadline.signal,
      }),
      // A fetch that ignores its signal must not outlive the deadline either.
      rejectionOf(deadline.signal),
    ])
    // Only the status counts, so nothing of the answer is read.
    await response.body?.cancel()
    return { status: response.status }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  } finally {
    cancel()
  }
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
