import type { Clock } from './clock.ts'

/** Rejects after `ms` milliseconds with an error whose message is `late`. The work itself continues. */
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
