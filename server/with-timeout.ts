/** How long somebody else's code may take. */

import type { Clock } from './clock.ts'

/** Rejects with `late` when it takes longer. What was begun goes on: nobody can stop it. */
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
