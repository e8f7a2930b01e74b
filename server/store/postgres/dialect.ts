/** The dialect of Postgres, where several processes write at the same time. */

import type { Dialect } from '../dialect.ts'

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
  // `origin` has one row: the database in which the tables were created or last recovered (`origin.ts`).
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
