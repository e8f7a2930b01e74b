import type { Clock } from './clock.ts'

/**
 * Runs `work` and resolves with its result. Rejects with `late` after `ms` milliseconds; `work` continues in the
 * background.
 *
 * @param late The error, or its message.
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
