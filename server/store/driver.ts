/**
 * What the store needs of a database: a `Driver` that runs statements, in `sqlite/driver.ts` and `postgres/driver.ts`,
 * and a `Dialect`, the words that differ in the SQL of `statements.ts` and `schema.ts`.
 */

import type { Changed } from './store.ts'

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
  /** Undoes the earlier statements of a {@link Work}. */
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

/** One process writes, and one transaction after the other. Nothing needs a lock. */
export const SQLITE: Dialect = {
  schema: '',
  types: { key: 'text', large: 'integer', serialKey: 'integer PRIMARY KEY AUTOINCREMENT' },
  options: 'STRICT',
  random: 'abs(random() % 9007199254740992)',
  findVersion: 'SELECT user_version AS version FROM pragma_user_version',
  saveVersion: (version) => `PRAGMA user_version = ${version}`,
  greatest: 'max',
  lock: '',
  lockFree: '',
  undo: 'ROLLBACK TO work',
  oneByOne: 'SELECT 1',
  inOrder: '(SELECT 1)',
  afterAdding: (query) => query,
  skipNumbers: (table, count) => `UPDATE sqlite_sequence SET seq = seq + ${count} WHERE name = '${table}'`,
  among: (list) => `IN (SELECT value FROM json_each(${list}))`,
  indexedBy: (index) => `INDEXED BY ${index}`,
}

/**
 * Key of an advisory lock. Transactions that add events hold this lock in shared mode until they commit. An event gets
 * its sequence number before its transaction commits, so the event with the higher number may be committed first. A
 * reader that did not wait for this lock could read the event with the higher number, and then never read the other
 * event.
 */
const EVENTS_LOCK = 7_240_402
/** Keys of advisory locks, which are held until the end of the transaction. */
const MIGRATION_LOCK = 7_240_401
const TURNS_LOCK = 7_240_403

export const POSTGRES: Dialect = {
  schema: 'gateway_checkout.',
  // An index in the system's collation breaks when its C library is upgraded.
  types: {
    key: 'text COLLATE "C"',
    large: 'bigint',
    serialKey: 'bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY',
  },
  // Rows change several times within minutes: the default waits until a fifth of a large table is dead.
  options: 'WITH (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)',
  random: 'trunc(random() * 9007199254740992)',
  // If the server's database user may not create schemas, an administrator must create the schema first.
  findVersion: `
    SET LOCAL statement_timeout = 0;
    SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
    DO $$ BEGIN
      IF NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = 'gateway_checkout') THEN
        CREATE SCHEMA gateway_checkout;
      END IF;
      IF NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'gateway_checkout' AND tablename = 'migrations') THEN
        CREATE TABLE gateway_checkout.migrations (version integer PRIMARY KEY);
      END IF;
    END $$;
    SELECT coalesce(max(version), 0) AS version FROM gateway_checkout.migrations`,
  // `origin` has one row: the database in which the tables were created or last recovered (`postgres/origin.ts`).
  saveVersion: (version) => `
    CREATE TABLE gateway_checkout.origin (id integer PRIMARY KEY CHECK (id = 1), identity text NOT NULL);
    INSERT INTO gateway_checkout.migrations VALUES (${version})`,
  greatest: 'greatest',
  lock: 'FOR UPDATE',
  lockFree: 'FOR UPDATE SKIP LOCKED',
  undo: 'ROLLBACK AND CHAIN',
  // A statement after it sees what its earlier holders have committed.
  oneByOne: `SELECT pg_advisory_xact_lock(${TURNS_LOCK})`,
  inOrder: `pg_advisory_xact_lock_shared(${EVENTS_LOCK})`,
  afterAdding: (query) =>
    `SET LOCAL lock_timeout = 2000; SELECT pg_advisory_xact_lock(${EVENTS_LOCK}); ${query}`,
  // A replication, or a migration between managed databases, copies rows without the state of sequences.
  skipNumbers: (table, count) => {
    const sequence = `pg_get_serial_sequence('gateway_checkout.${table}', 'sequence')`
    return `SELECT setval(${sequence}, greatest(nextval(${sequence}), max(sequence)) + ${count}) FROM gateway_checkout.${table}`
  },
  among: (list) => `= ANY (ARRAY(SELECT json_array_elements_text(CAST(${list} AS json))))`,
  indexedBy: () => '',
}
