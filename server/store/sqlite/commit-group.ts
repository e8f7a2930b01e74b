/** Commits the writes of one turn of the event loop together, because each commit waits for the disk. */

import type { Clock } from '../../work/clock.ts'
import type { Run } from './database.ts'
import { isBusy } from './database.ts'

interface Write {
  run(): void
  resolve(): void
  reject(error: unknown): void
}

/** While another process locks the file, a commit is retried up to `count` times, with pauses of `ms` milliseconds. */
const BUSY_PAUSES = { count: 500, ms: 10 }

export function createCommitGroup(run: Run, clock: Clock) {
  let waiting: Write[] = []
  let pauses = 0
  return { add, flush }

  /**
   * Runs `work` in one commit, together with all other work that is added in this turn of the event loop. Resolves when
   * the commit is durable. After a rollback, `work` may run again, so `work` must not change anything outside the
   * database.
   */
  function add<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result
      waiting.push({ run: () => (result = work()), resolve: () => resolve(result), reject })
      if (waiting.length === 1) setImmediate(flush)
    })
  }

  /**
   * Commits all waiting writes together. If this commit fails, each write is committed alone, so that an error in one
   * write does not affect the others. While another process locks the file, the commit waits outside SQLite: a wait
   * inside would block the event loop.
   */
  function flush(): void {
    const writes = waiting
    waiting = []
    if (writes.length === 0) return
    const error = commit(writes)
    if (error && isBusy(error.cause) && pauses < BUSY_PAUSES.count) {
      pauses += 1
      waiting = writes
      return void clock.sleep(BUSY_PAUSES.ms).then(flush)
    }
    pauses = 0
    if (error && writes.length === 1) writes[0]?.reject(error.cause)
    else if (error)
      for (const write of writes) {
        const own = commit([write])
        if (own) write.reject(own.cause)
      }
  }

  /** Resolves the writes if they are committed. Otherwise, returns the error. */
  function commit(writes: readonly Write[]): { cause: unknown } | null {
    try {
      run('BEGIN IMMEDIATE')
    } catch (cause) {
      return { cause }
    }
    try {
      for (const write of writes) write.run()
      run('COMMIT')
    } catch (cause) {
      // After some errors, such as a full disk, SQLite has already rolled back, and this statement fails.
      ignoreErrors(() => run('ROLLBACK'))
      return { cause }
    }
    for (const write of writes) write.resolve()
    return null
  }
}

function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {}
}
