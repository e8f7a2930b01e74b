import type { Clock } from './clock.ts'

/**
 * {@link withTimeout} aborts its timer with this error when the work has ended. All calls use the same error, because
 * creating an error is expensive.
 */
const DONE = new Error('The work is done.')

/**
 * Runs `work` and resolves with its result. Rejects with `late` if `work` takes longer than `ms` milliseconds; `work`
 * then continues in the background.
 *
 * @param late The error with which the promise rejects, or the message of this error.
 */
export async function withTimeout<T>(
  ms: number,
  clock: Clock,
  work: () => T | Promise<T>,
  late: string | Error,
): Promise<T> {
  const working = work()
  if (!isThenable(working)) return working
  const done = new AbortController()
  const deadline = clock.sleep(ms, done.signal).then(
    () => {
      throw typeof late === 'string' ? new Error(late) : late
    },
    () => new Promise<never>(() => {}),
  )
  try {
    return await Promise.race([working, deadline])
  } finally {
    done.abort(DONE)
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value
}
