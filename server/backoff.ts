interface Backoff {
  baseMs: number
  capMs: number
}

/**
 * Returns the pause before a retry, in milliseconds: from half to all, at random, of a pause that doubles with each
 * failed attempt, from `baseMs` up to `capMs`.
 *
 * @param attempt Number of failed attempts so far, from 1.
 * @param random A random number from 0 (inclusive) to 1 (exclusive).
 */
export function backoffDelay(attempt: number, random: number, { baseMs, capMs }: Backoff): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(ceiling / 2 + (ceiling / 2) * random)
}
