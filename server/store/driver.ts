/** What the store needs of a database: `sqlite/driver.ts` and `postgres/driver.ts` implement it. */

import type { Changed } from './store.ts'
import type { Dialect } from './dialect.ts'

/** The value of a parameter. Absent values are NULL. */
export type Value = string | number | null | undefined

/** The text of a statement, and the values of `$1`, `$2` and so on. */
export type Statement = readonly [sql: string, ...values: Value[]]

/** Statements that take effect together or not at all. Each statement that the generator yields gives it rows. */
export type Work<Result> = Generator<Statement, Result, unknown[]>

/** Thrown by {@link Work} to undo what it has done. The promise of `transaction` then rejects with it. */
export class Undone extends Error {}

export interface Driver {
  dialect: Dialect
  /** Runs one statement. Resolves with the rows that it returns, when its change is durable. */
  query: (...statement: Statement) => Promise<unknown[]>
  /** Runs the work in one transaction. Resolves when the change is durable. May start the work again after a failure. */
  transaction: <Result>(work: () => Work<Result>) => Promise<Result>
  /**
   * Rejects if the database must not be used for this: for new rows, if the files of an open SQLite database are gone;
   * to claim work, if an open Postgres database was restored or promoted; to be ready, if anything is known to be wrong.
   */
  expectUsable: (use: 'insert' | 'claim' | 'ping') => Promise<void>
  /**
   * Returns a number that changes whenever another process has changed the database. `null` if the process shares its
   * rows with others all the time, and must not keep any.
   */
  foreignChanges: (() => number) | null
  /** Resolves with changes of other processes since the last call. `null` if no other process can change anything. */
  findForeign: ((watched: string[]) => Promise<Changed[]>) | null
  /** Removes changed and deleted data from the log of the database. Resolves with `false` if this is not possible now. */
  truncateLog: () => Promise<boolean>
  /** Afterwards, every call rejects. */
  close: () => Promise<void>
}
