/** The statements about the database as a whole. */

import type { Dialect } from '../dialect.ts'

export type DatabaseStatements = ReturnType<typeof databaseStatements>

export function databaseStatements({ schema, undo, oneByOne }: Dialect) {
  return {
    undo,
    oneByOne,
    marks: `
      SELECT coalesce(max(value) FILTER (WHERE name = 'store'), 0) AS store,
        max(value) FILTER (WHERE name = 'recovered') AS recovered,
        max(value) FILTER (WHERE name = 'compared') AS compared FROM ${schema}marks`,
    saveCompared: `
      INSERT INTO ${schema}marks VALUES ('compared', $1) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    ping: `UPDATE ${schema}readiness SET writes = writes + 1`,
  }
}
