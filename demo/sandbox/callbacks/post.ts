import type { Clock } from '../timeline/clock.ts'

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
  /** `answer` contains at most the first 500 bytes of the receiver's response body. */
  { status: number; answer: string } | { error: string }

// [assumed] Timeout of one attempt.
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
        // A redirect could lead to a forbidden address. The redirect's status is not 200, so the attempt fails.
        redirect: 'manual',
        signal: deadline.signal,
      }),
      // The timeout also applies to a `fetch` that ignores its signal.
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
    // An interrupted body is no error: only the status counts, and the text received so far is kept.
  }
  // Not awaited: a slow target must not delay the result.
  reader?.cancel().catch(() => {})
  return new TextDecoder().decode(Buffer.concat(chunks).subarray(0, SHOWN_BYTES))
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
