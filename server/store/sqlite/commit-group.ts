/**
 * Groups the writes of one turn of the event loop into one commit, because each commit waits for the disk. Their promises
 * resolve in the order of the writes, with no step between.
 */

import { isBusy } from './error.ts'

import type { Clock } from '../../work/clock.ts'
import type { Run } from './runner.ts'

interface Write {
  run(): void
  resolve(): void
  reject(error: unknown): void
}

/** While another process locks the file, a commit is retried for five seconds. */
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
      if (waiting.length === 1) {
        setImmediate(flush)
      }
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
    if (writes.length === 0) {
      return
    }

    const error = commit(writes)
    if (error && isBusy(error.cause) && pauses < BUSY_PAUSES.count) {
      pauses += 1
      waiting = writes
      void clock.sleep(BUSY_PAUSES.ms).then(flush)
      return
    }

    pauses = 0
    if (error && writes.length === 1) {
      writes[0]?.reject(error.cause)
    } else if (error) {
      commitEachAlone(writes)
    }
  }

  function commitEachAlone(writes: readonly Write[]): void {
    for (const write of writes) {
      const error = commit([write])
      if (error) {
        write.reject(error.cause)
      }
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
      for (const write of writes) {
        write.run()
      }

      run('COMMIT')
    } catch (cause) {
      rollBack()
      return { cause }
    }

    for (const write of writes) {
      write.resolve()
    }

    return null
  }

  function rollBack(): void {
    try {
      run('ROLLBACK')
    } catch {
      // After some errors, such as a full disk, SQLite has already rolled back.
    }
  }
}
