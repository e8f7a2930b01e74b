/**
 * Recovers a store that was restored from a backup.
 *
 * A recovery stores its time in each transaction that was unsent or open in the backup: its request, or the answer to it,
 * may have been lost with the rest. What follows from this is decided by `mayHaveLostSend` (`transactions/recovery.ts`).
 */

import { z } from 'zod'

import { NUMBERED_TABLES } from './dialect.ts'
import { CHANGED, REQUESTED } from './sql/fragments.ts'

import type { Dialect } from './dialect.ts'
import type { Work } from './driver.ts'

/**
 * A recovery schedules an immediate status query for each transaction whose next query is due within this time (in
 * milliseconds). All unsettled transactions have a query due within this time. Additional queries for settled
 * transactions are harmless.
 */
const WITHIN_MS = 24 * 3_600_000

/**
 * The amounts by which a recovery increases row versions and the numbers of events and links. Clients may already know
 * higher values than the backup contains.
 */
const AHEAD = { versions: 1_000, numbers: 1_000_000 }

/** The result of recovering a store that was restored from a backup. */
export interface Recovery {
  /** Number of transactions for which a status query was scheduled. */
  asked: number
  /** Number of transactions that were unsent in the backup. The gateway may have received them after the backup. */
  unsent: number
  /** The time of the backup or of the last stored change, after which changes are lost; `null` if both are unknown. */
  knownUntil: number | null
}

const StoredRows = z.tuple([z.object({ unsent: z.number(), knownUntil: z.number().nullable() })])

/** @param restored SQL condition: the backup contained the row. */
export function* recoverRows(dialect: Dialect, now: number, restored = 'true'): Work<Recovery> {
  const { schema, skipNumbers } = dialect
  const [{ unsent, knownUntil }] = StoredRows.parse(
    yield [
      `SELECT count(*) FILTER (WHERE sent_at IS NULL AND digest IS NULL) AS unsent,
         coalesce((SELECT value FROM ${schema}marks WHERE name = 'copied'),
           max(updated_at) FILTER (WHERE ${restored})) AS "knownUntil" FROM ${schema}transactions`,
    ],
  )
  yield [`UPDATE ${schema}transactions SET ${CHANGED}, recovered_at = $1 WHERE sent_at IS NULL`, now]
  const asked = yield [
    `UPDATE ${schema}transactions SET ${REQUESTED}, requested_at = $1, recovered_at = $1, version = version + ${AHEAD.versions},
       due_at = CASE WHEN due_at > $1 THEN $1 ELSE due_at END
     WHERE due_at <= CAST($1 AS bigint) + ${WITHIN_MS} RETURNING id`,
    now,
  ]
  for (const table of NUMBERED_TABLES) {
    yield [skipNumbers(table, AHEAD.numbers)]
  }

  yield [`DELETE FROM ${schema}marks WHERE name IN ('copied', 'recovered')`]
  yield [`INSERT INTO ${schema}marks VALUES ('recovered', $1)`, now]
  return { asked: asked.length, unsent, knownUntil }
}
