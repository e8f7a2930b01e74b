// A client of the payment server's `/api`: sends requests, and polls a transaction until the transaction is settled.

const { PUBLIC_URL, MERCHANT_API_KEY } = process.env
if (!PUBLIC_URL) {
  throw new Error('PUBLIC_URL is not set.')
}
if (!MERCHANT_API_KEY) {
  throw new Error('MERCHANT_API_KEY is not set.')
}
if (!/^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(:\d+)?(\/|$))/.test(PUBLIC_URL)) {
  throw new Error('PUBLIC_URL has to be https, but for this machine: anybody on the way could answer.')
}

// As the payment server reads it: without slashes at the end.
const server = PUBLIC_URL.replace(/\/+$/, '')

const SECOND = 1000

export class Problem extends Error {
  constructor(document) {
    super(document.detail)
    this.code = document.code
    this.retryable = document.retryable
  }
}

/**
 * Sends a request at most four times, and resolves with the JSON response. Throws a Problem if the server refuses the
 * request and a retry cannot help. Ends the process with code 75 if all four attempts fail.
 */
export async function send(method, path, body) {
  // Repeating is safe: the server recognizes the reference in the body and does not pay twice. Never use a new
  // reference for a retry: a new reference is a new payment.
  for (let attempt = 1; attempt <= 4; attempt++) {
    if (attempt > 1) {
      await sleep((attempt - 1) * SECOND)
    }

    try {
      return await ask(method, path, body)
    } catch (error) {
      if (error.retryable === false) {
        throw error
      }

      console.error(`No answer: ${error.cause?.message ?? error.message}`)
    }
  }

  console.error('Not known yet. Run the same command again, and pay by no other way.')
  process.exit(75)
}

async function ask(method, path, body) {
  const answer = await fetch(`${server}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${MERCHANT_API_KEY}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
    redirect: 'error', // Only the payment server itself is believed.
    signal: AbortSignal.timeout(30 * SECOND),
  })
  const json = await answer.json()
  if (!answer.ok) {
    throw new Problem(json)
  }

  return json
}

/** Resolves with the transaction at a path, or with null if the server does not know it. */
export async function find(path) {
  try {
    return await send('GET', path)
  } catch (error) {
    if (error.code.startsWith('unknown_')) {
      return null
    }

    throw error
  }
}

/**
 * Polls every second until the transaction is settled or needs attention, but for at most a minute. With a webhook,
 * you need no polling.
 */
export async function follow(path) {
  for (let requests = 1; ; requests++) {
    const tracked = await send('GET', path)
    if (tracked.settled || tracked.outcome === 'needs_attention' || requests === 60) {
      return tracked
    }

    await sleep(SECOND)
  }
}

/**
 * Sets the exit code of the process: 0 after success, 1 after any other settled outcome, 75 if the transaction is not
 * settled. If the exit code is 75, run the same command again later.
 */
export function finish({ settled, outcome }) {
  if (!settled) {
    console.error('Not settled. Run the same command again, and pay by no other way.')
    process.exitCode = 75
    return
  }

  const isSuccess = outcome === 'succeeded' || outcome === 'paid'
  process.exitCode = isSuccess ? 0 : 1
}

/** Polls a payout, prints what became of it, and sets the exit code as `finish` does. */
export async function finishPayout(reference) {
  const payout = await follow(`/payouts/${encodeURIComponent(reference)}`)
  console.log(`${reference}: ${payout.outcome}, ${payout.amount} ${payout.currency}`)
  const reason = payout.attention ?? payout.error_code
  if (reason) {
    console.log(reason)
  }

  finish(payout)
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
