/** What each part of the store gets to work with. */

import type { Driver, Statement } from '../driver.ts'
import type { Changed } from '../transactions.ts'
import type { KeptRows } from './kept-rows.ts'
import type { z } from 'zod'

export interface Deps<Statements> {
  driver: Driver
  sql: Statements
  /** The transactions that are kept in memory. */
  rows: KeptRows
  /** Called after a commit. */
  announce: (change: Changed) => void
  /** Runs a statement, and parses the rows that it returns. */
  ask: <Row>(schema: z.ZodType<Row>, ...statement: Statement) => Promise<Row[]>
  /** The same for a statement that returns one row; `null` if it returns none. */
  askOne: <Row>(schema: z.ZodType<Row>, ...statement: Statement) => Promise<Row | null>
}
