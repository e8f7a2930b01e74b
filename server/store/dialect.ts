/**
 * What differs between the databases in the SQL of `sql/` and `schema.ts`. `sqlite/dialect.ts` and `postgres/dialect.ts`
 * are the two.
 */

/** The tables whose primary key numbers the rows. */
export const NUMBERED_TABLES = ['events', 'links'] as const
type NumberedTable = (typeof NUMBERED_TABLES)[number]

export interface Dialect {
  /** The prefix of the name of a table. */
  schema: string
  /**
   * The types of columns: an indexed text, a time or another large number, and a primary key that numbers the rows. A
   * number is not used again after its row was deleted.
   */
  types: Record<'key' | 'large' | 'serialKey', string>
  /** Follows the columns of a table. */
  options: string
  /** A random whole number below 2 ** 53. */
  random: string
  /** A query for the version of the tables: 0 if there are none. Lets one process after the other migrate them. */
  findVersion: string
  /** Statements that store the version of tables that were just created. */
  saveVersion: (version: number) => string
  /** The function that returns its greatest argument. */
  greatest: string
  /** Locks the selected rows until the end of the transaction. */
  lock: string
  /** Locks the selected rows, and leaves out those that another transaction has locked. */
  lockFree: string
  /** Undoes the earlier statements of a `Work` (`driver.ts`). */
  undo: string
  /** A statement after which all transactions that run it take place one after the other. */
  oneByOne: string
  /** A table of one row. While it is read, numbers of events and their commits are in the same order. */
  inOrder: string
  /** A query for the newest event. Waits until nobody is adding older ones. */
  afterAdding: (query: string) => string
  /** Raises the next number of a table's rows by `count`, above those of its rows. */
  skipNumbers: (table: NumberedTable, count: number) => string
  /** A condition that a column is among the texts of a JSON list, which is a parameter. */
  among: (list: string) => string
  /** The hint to use an index. SQLite knows nothing of how rows are distributed. */
  indexedBy: (index: string) => string
}
