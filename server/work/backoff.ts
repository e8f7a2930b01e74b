/** The pauses between attempts: they grow with each failure. Pure. */

/** The first and the longest pause, in milliseconds. */
export interface Backoff {
  baseMs: number
  capMs: number
}

/**
 * Returns the pause before a retry, in milliseconds. The pause doubles with each failed attempt, from `baseMs` up to
 * `capMs`. A random part of the pause, at most half, is then subtracted.
 *
 * @param attempt Number of failed attempts so far, at least 1.
 * @param random A random number from 0 to 1. With 1, nothing is subtracted.
 */
export function backoffDelay(attempt: number, random: number, { baseMs, capMs }: Backoff): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** (attempt - 1))
  return Math.round(ceiling / 2 + (ceiling / 2) * random)
}
