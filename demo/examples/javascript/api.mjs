/** A client of the payment server's `/api`: sends requests, and polls a transaction until it is settled. */

const { PUBLIC_URL, MERCHANT_API_KEY } = process.env
if (!PUBLIC_URL) throw new Error('PUBLIC_URL is not set.')
if (!MERCHANT_API_KEY) throw new Error('MERCHANT_API_KEY is not set.')
const SECOND = 1000

/** An error response of the payment server: a problem document with `code`, `detail` and `retryable`. */
export class Problem extends Error {
  constructor(document) {
    super(document.detail)
    this.code = document.code
    this.retryable = document.retryable
  }
}

/**
 * Sends a request and resolves with the JSON answer. Throws a Problem if the server answers with an error that a
 * retry cannot mend. After other failures it repeats the request up to three times, then ends the process with code
 * 75.
 *
 * Repeating is safe: the server recognizes the reference in the body and does not pay twice. Never use a new
 * reference for a retry: it would be a new payment.
 */
export async function send(method, path, body) {
  for (let attempt = 1; attempt <= 4; attempt++) {
    if (attempt > 1) await sleep((attempt - 1) * SECOND)
    try {
      return await ask(method, path, body)
    } catch (error) {
      if (error.retryable === false) throw error
      console.error(`No answer: ${error.message}`)
    }
  }
  console.error('Not known yet. Run the same command again, and pay by no other way.')
  process.exit(75)
}

async function ask(method, path, body) {
  const answer = await fetch(`${PUBLIC_URL}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${MERCHANT_API_KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30 * SECOND),
  })
  const json = await answer.json()
  if (!answer.ok) throw new Problem(json)
  return json
}

/** Resolves with the transaction at the path, or with null if the server has no such transaction. */
export async function find(path) {
  try {
    return await send('GET', path)
  } catch (error) {
    if (error.code.startsWith('unknown_')) return null
    throw error
  }
}

/**
 * Polls a transaction every second, for at most a minute. Resolves with the transaction once it is settled or its
 * outcome is `needs_attention`, otherwise after a minute. With a webhook, polling is not necessary.
 */
export async function follow(path) {
  for (let asked = 1; ; asked++) {
    const tracked = await send('GET', path)
    if (tracked.settled || tracked.outcome === 'needs_attention' || asked === 60) return tracked
    await sleep(SECOND)
  }
}

/**
 * Sets the exit code of the process: 0 if the transaction succeeded, 1 if it was settled otherwise, 75 if it is not
 * settled. After 75, run the same command again later.
 */
export function finish({ settled, outcome }) {
  if (!settled) console.error('Not settled. Run the same command again, and pay by no other way.')
  process.exitCode = !settled ? 75 : outcome === 'succeeded' || outcome === 'paid' ? 0 : 1
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
