import type { Clock } from './clock.ts'

/**
 * Runs `work` and resolves with its result. Rejects after `ms` milliseconds with an error whose message is `late`; the
 * work itself then continues.
 */
export async function withTimeout<T>(
  ms: number,
  clock: Clock,
  work: () => T | Promise<T>,
  late: string,
): Promise<T> {
  const done = new AbortController()
  const deadline = clock.sleep(ms, done.signal).then(
    () => {
      throw new Error(late)
    },
    () => new Promise<never>(() => {}),
  )
  try {
    return await Promise.race([work(), deadline])
  } finally {
    done.abort()
  }
}
