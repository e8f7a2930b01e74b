/** How long to wait before trying again. Pure: the caller brings the randomness. */

interface Backoff {
  baseMs: number
  capMs: number
}

/**
 * Exponential delay with jitter, in milliseconds, before try number `attempt` + 1.
 *
 * @param attempt How many tries have failed so far, from 1.
 * @param random A number from 0 up to 1. Half of the delay is kept whatever it is, so that nobody retries at once.
 */
export function backoffDelay(attempt: number, random: number, { baseMs, capMs }: Backoff): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(ceiling / 2 + (ceiling / 2) * random)
}
