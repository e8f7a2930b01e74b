/** Runs statements on a SQLite database, one by one or several as one. Prepares each of them once. */

import { withoutNul } from '../driver.ts'
import { StoreAwayError, StoreError } from '../errors.ts'
import { isTransient } from './error.ts'

import type { Statement, Work } from '../driver.ts'
import type { Database } from './database.ts'

/** Runs a statement, and returns its rows. */
export type Run = (...statement: Statement) => unknown[]

type SqliteValue = string | number | null

/**
 * @param texts The statements that are prepared now, so that a wrong schema is noticed.
 * @param failed Called with each error of the driver.
 */
export function createRunner(
  database: Database,
  texts: readonly string[] = [],
  failed: (cause: unknown) => void = () => {},
) {
  const prepared = new Map(texts.map((sql) => [sql, prepare(sql)]))
  return {
    run: ((sql, ...values) => {
      try {
        return find(sql)(values)
      } catch (cause) {
        failed(cause)
        const Failure = isTransient(cause) ? StoreAwayError : StoreError
        throw new Failure('The store cannot be used', { cause })
      }
    }) satisfies Run,
  }

  function find(sql: string) {
    const statement = prepared.get(sql) ?? prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  /** SQLite's driver binds `?` faster than named parameters such as `$1`, which are therefore replaced. */
  function prepare(sql: string) {
    const order: number[] = []
    const text = sql.replaceAll(/\$(\d+)/g, (_, number) => {
      order.push(Number(number) - 1)
      return '?'
    })
    const statement = database.prepare(text)
    return (values: readonly (SqliteValue | undefined)[]): unknown[] =>
      statement.all(...order.map((index) => withoutNul(values[index]) ?? null))
  }
}

/** Returns whether the statement changes nothing. */
export function isRead(sql: string): boolean {
  return /^\s*(SELECT|PRAGMA)/.test(sql)
}

/**
 * Runs the work in a transaction of its own, and returns its result. Takes the write lock when the work first writes,
 * so that a store of the right version is opened while another process writes to it.
 */
export function inTransaction<Result>(database: Database, work: Work<Result>): Result {
  const { run } = createRunner(database)
  run('BEGIN')
  try {
    const result = complete(work, run)
    run('COMMIT')
    return result
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

/** Runs the work within the transaction that others share, and returns its result. */
export function complete<Result>(work: Work<Result>, run: Run): Result {
  run('SAVEPOINT work')
  let step = work.next([])
  while (!step.done) {
    step = work.next(run(...step.value))
  }

  run('RELEASE work')
  return step.value
}
