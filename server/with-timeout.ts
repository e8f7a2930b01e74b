import type { Clock } from './clock.ts'

/**
 * Runs `work` and resolves with its result. Rejects after `ms` milliseconds with the error `late`, or with one of
 * that message; the work itself then continues.
 */
export async function withTimeout<T>(
  ms: number,
  clock: Clock,
  work: () => T | Promise<T>,
  late: string | Error,
): Promise<T> {
  const done = new AbortController()
  const deadline = clock.sleep(ms, done.signal).then(
    () => {
      throw typeof late === 'string' ? new Error(late) : late
    },
    () => new Promise<never>(() => {}),
  )
  try {
    return await Promise.race([work(), deadline])
  } finally {
    done.abort()
  }
}
