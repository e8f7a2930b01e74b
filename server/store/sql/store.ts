/**
 * Implements the store on either database. Each file of this folder has the statements about one noun, and what runs
 * them on a driver.
 */

import { z } from 'zod'

import { createEvents } from './events.ts'
import { createKeptRows } from './kept-rows.ts'
import { createLinks } from './links.ts'
import { setMerchant } from './merchants.ts'
import { createMovementSearch } from './movement-search.ts'
import { createNotices } from './notices.ts'
import { createOrderMarks } from './order-marks.ts'
import { createQueues } from './queues.ts'
import { createRetention } from './retention.ts'
import { createScheduledQueries } from './scheduled-queries.ts'
import { statementsOf } from './statements.ts'
import { createTransactions } from './transactions.ts'
import { createWatchers } from './watchers.ts'

import type { Clock } from '../../work/clock.ts'
import type { Driver, Statement } from '../driver.ts'
import type { Store } from '../store.ts'

const MarksRow = z.object({
  store: z.int(),
  recovered: z.int().nullable(),
  compared: z.int().nullable(),
})

export function createStore(driver: Driver, clock: Clock): Store {
  const sql = statementsOf(driver.dialect)
  const watchers = createWatchers(driver, clock)
  const rows = createKeptRows(driver, sql.find)
  const deps = { driver, sql, rows, ask, askOne, announce: watchers.announce }
  return {
    ...createTransactions(deps),
    ...createScheduledQueries(deps),
    ...createQueues(deps),
    ...createEvents(deps),
    ...createNotices(deps),
    ...createRetention(deps),
    ...createLinks(deps),
    ...createMovementSearch(deps),
    ...createOrderMarks(deps),

    setMerchant: (account, numbers, another = 'refuse') =>
      driver.transaction(() => setMerchant(sql, account, numbers, another)),

    // Read each time: a Postgres database may be recovered while servers run.
    async marks() {
      const [row] = await driver.query(sql.marks)
      return MarksRow.parse(row)
    },

    async saveCompared(now) {
      await driver.query(sql.saveCompared, now)
    },

    watch: watchers.watch,

    async ping() {
      await driver.expectUsable('ping')
      await driver.query(sql.ping)
    },

    truncateLog: () => driver.truncateLog(),

    async close() {
      watchers.close()
      await driver.close()
    },
  }

  async function ask<Row>(schema: z.ZodType<Row>, ...statement: Statement): Promise<Row[]> {
    const found = await driver.query(...statement)
    return found.map((row) => schema.parse(row))
  }

  async function askOne<Row>(schema: z.ZodType<Row>, ...statement: Statement): Promise<Row | null> {
    const [row] = await driver.query(...statement)
    return row === undefined ? null : schema.parse(row)
  }
}
