/** Runs statements on a SQLite database. */

import type { Statement, Work } from '../driver.ts'
import type { Database } from './database.ts'
import { Undone } from '../driver.ts'
import { StoreAwayError, StoreError } from '../store.ts'
import { isTransient } from './database.ts'

export interface Runner {
  /** Returns the rows of a statement. */
  run: (...statement: Statement) => unknown[]
  /** Returns whether the statement changes nothing. */
  isRead: (sql: string) => boolean
}

type SqliteValue = string | number | null

/**
 * @param texts The statements that are prepared now, so that a wrong schema is noticed.
 * @param failed Called with each error of the driver.
 */
export function createRunner(
  database: Database,
  texts: readonly string[],
  failed: (cause: unknown) => void,
): Runner {
  const prepared = new Map(texts.map((sql) => [sql, prepare(sql)]))
  return {
    run(sql, ...values) {
      try {
        return find(sql).all(values)
      } catch (cause) {
        failed(cause)
        const StoreFailure = isTransient(cause) ? StoreAwayError : StoreError
        throw new StoreFailure('The store cannot be used', { cause })
      }
    },
    isRead: (sql) => find(sql).isRead,
  }

  function find(sql: string) {
    const known = prepared.get(sql) ?? prepare(sql)
    prepared.set(sql, known)
    return known
  }

  /** SQLite's driver has no numbered parameters, and binds named ones slowly: `$1` becomes `?`. */
  function prepare(sql: string) {
    const order: number[] = []
    const text = sql.replaceAll(/\$(\d+)/g, (_, number) => {
      order.push(Number(number) - 1)
      return '?'
    })
    const statement = database.prepare(text)
    const all = (values: readonly (SqliteValue | undefined)[]): unknown[] =>
      statement.all(...order.map((index) => values[index] ?? null))
    return { all, isRead: /^\s*(SELECT|PRAGMA)/.test(sql) }
  }
}

/** Runs the statements of the work, and returns its result. */
export function complete<Result>(work: Work<Result>, { run }: Pick<Runner, 'run'>): Result {
  let step = work.next([])
  while (!step.done) step = work.next(run(...step.value))
  return step.value
}

/** Like {@link complete}, but undoes work that throws {@link Undone}, within the transaction that others share. */
export function completeOrUndo<Result>(work: Work<Result>, { run }: Pick<Runner, 'run'>): Result | Undone {
  run('SAVEPOINT work')
  try {
    const result = complete(work, { run })
    run('RELEASE work')
    return result
  } catch (error) {
    if (!(error instanceof Undone)) throw error
    run('ROLLBACK TO work')
    return error
  }
}
