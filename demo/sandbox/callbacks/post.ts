/** One attempt to deliver a callback: within a deadline, without redirects, with a glance at the answer. */

import type { Clock } from '../timeline/clock.ts'

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

export type AttemptOutcome =
  /** `answer` is how its text begins, for people who look for their mistake. */
  { status: number; answer: string } | { error: string }

/** [assumed] How long a target may take to answer. */
export const DEADLINE_MS = 10_000

const SHOWN_BYTES = 500

export async function post(
  { url, body }: { url: string; body: string },
  { clock, fetch }: { clock: Clock; fetch: SandboxFetch },
): Promise<AttemptOutcome> {
  const deadline = new AbortController()
  const cancel = clock.after(DEADLINE_MS, () =>
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
    return { status: response.status, answer: await beginningOf(response, deadline.signal) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  } finally {
    cancel()
  }
}

async function beginningOf({ body }: Response, signal: AbortSignal): Promise<string> {
  const reader = body?.getReader()
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    while (reader && size < SHOWN_BYTES) {
      const { done, value } = await Promise.race([reader.read(), rejectionOf(signal)])
      if (done) break
      chunks.push(value)
      size += value.byteLength
    }
  } catch {
    // Only the status counts, and it has come: an answer that breaks off is shown as far as it went.
  }
  // Neither a long answer nor a slow farewell holds up what comes next.
  reader?.cancel().catch(() => {})
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, SHOWN_BYTES))
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
