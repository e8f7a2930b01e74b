/** The dialect of SQLite. One process writes, and one transaction after the other: nothing needs a lock. */

import type { Dialect } from '../dialect.ts'

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
