/** Combines the writes of concurrent requests into one durable commit. */

import type { Clock } from '../../clock.ts'
import type { Runner } from './runner.ts'
import { isBusy } from './database.ts'

interface Write {
  run(): void
  resolve(): void
  reject(error: unknown): void
}

/** While another process locks the file, a commit is retried up to `count` times, with pauses of `ms` milliseconds. */
const BUSY_PAUSES = { count: 500, ms: 10 }

export class CommitGroup {
  readonly #run: Runner['run']
  readonly #clock: Clock
  #waiting: Write[] = []
  #pauses = 0

  constructor(run: Runner['run'], clock: Clock) {
    this.#run = run
    this.#clock = clock
  }

  /**
   * Runs `work` in one commit, together with all other work that is added in this turn of the event loop. Resolves when
   * the commit is durable. After a rollback, `work` may run again, so `work` must not change anything outside the
   * database.
   */
  add<Result>(work: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      let result: Result
      this.#waiting.push({ run: () => (result = work()), resolve: () => resolve(result), reject })
      if (this.#waiting.length === 1) setImmediate(() => this.flush())
    })
  }

  /**
   * Commits all waiting writes together. If this commit fails, each write is committed alone, so that an error in one
   * write does not affect the others.
   */
  flush(): void {
    const writes = this.#waiting
    this.#waiting = []
    if (writes.length === 0) return
    const error = this.#commit(writes)
    if (error === null) {
      this.#pauses = 0
      return
    }
    if (isBusy(error.cause) && this.#pauses < BUSY_PAUSES.count) return this.#retryLater(writes)
    if (writes.length === 1) return writes[0]?.reject(error.cause)
    for (const write of writes) {
      const own = this.#commit([write])
      if (own) write.reject(own.cause)
    }
  }

  /**
   * Tries the commit again after a pause, because another process has locked the file. The pause runs outside SQLite,
   * because a wait inside SQLite would block the event loop.
   */
  #retryLater(writes: Write[]): void {
    this.#pauses += 1
    this.#waiting = writes
    void this.#clock.sleep(BUSY_PAUSES.ms).then(() => this.flush())
  }

  #commit(writes: readonly Write[]): { cause: unknown } | null {
    try {
      this.#run('BEGIN IMMEDIATE')
    } catch (cause) {
      return { cause }
    }
    try {
      for (const write of writes) write.run()
      this.#run('COMMIT')
    } catch (cause) {
      // After some errors, such as a full disk, SQLite has already rolled back, and this statement fails.
      ignoreErrors(() => this.#run('ROLLBACK'))
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
