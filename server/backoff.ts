interface Backoff {
  baseMs: number
  capMs: number
}

/**
 * The pause before a retry, in milliseconds: it doubles with each failed attempt, up to a limit. Half of it is jitter.
 *
 * @param attempt Failed attempts so far, from 1.
 * @param random A random number from 0 (inclusive) to 1 (exclusive).
 */
export function backoffDelay(attempt: number, random: number, { baseMs, capMs }: Backoff): number {
  const ceiling = Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, 30))
  return Math.round(ceiling / 2 + (ceiling / 2) * random)
}
