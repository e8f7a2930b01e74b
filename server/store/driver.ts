/** What the store needs of a database: a driver that runs statements. SQLite and Postgres have one each. */

import type { Dialect } from './dialect.ts'
import type { Changed } from './transactions.ts'

/** The value of a parameter. Absent values are NULL. */
type Value = string | number | null | undefined

/** The text of a statement, and the values of `$1`, `$2` and so on. */
export type Statement = readonly [sql: string, ...values: Value[]]

/**
 * Returns the value as each database stores and compares it: without NUL, which the text of Postgres cannot contain,
 * and at which a driver of SQLite ends a text. Identifiers stay unchanged, because they never contain NUL, and no text
 * with NUL is one of them.
 */
export const withoutNul = <Any extends Value>(value: Any) =>
  typeof value === 'string' ? value.replaceAll('\0', '\uFFFD') : value

/** Runs one statement, and resolves with its rows: of several in one text, with those of the last one. */
export type Query = (...statement: Statement) => Promise<unknown[]>

/** Statements that take effect together or not at all. Each statement that the generator yields gives it rows. */
export type Work<Result> = Generator<Statement, Result, unknown[]>

export interface Driver {
  dialect: Dialect
  /** Resolves when the change of the statement is durable. */
  query: Query
  /**
   * Runs the work in one transaction. Resolves when the change is durable. May start the work again after a failure.
   */
  transaction: <Result>(work: () => Work<Result>) => Promise<Result>
  /**
   * Rejects if the database must not be used for this. `insert`: the files of an open SQLite database are gone.
   * `claim`: an open Postgres database was restored or promoted. `ping`: either, or a SQLite file is damaged.
   */
  expectUsable: (use: 'insert' | 'claim' | 'ping') => Promise<void>
  /**
   * Returns a number that changes whenever another process has changed the database. `null` if the process shares its
   * rows with others all the time, and must not keep any.
   */
  foreignChanges: (() => number) | null
  /**
   * Resolves with changes by other processes since the last call: of the watched transactions on Postgres, and of due
   * events on SQLite. `null` if no other process can change anything.
   */
  findForeign: ((watched: string[]) => Promise<Changed[]>) | null
  /**
   * Removes changed and deleted data from the log of the database. Resolves with `false` if this is not possible now.
   */
  truncateLog: () => Promise<boolean>
  /** Afterwards, every call rejects. */
  close: () => Promise<void>
}
