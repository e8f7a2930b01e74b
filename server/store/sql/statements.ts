/**
 * All SQL statements of the store, written once for both databases: a `Dialect` has what differs. Drivers prepare them,
 * and the tests check that claims and look-ups find their rows by an index.
 */

import { databaseStatements } from './database.ts'
import { eventStatements } from './events.ts'
import { linkStatements } from './links.ts'
import { merchantStatements } from './merchants.ts'
import { movementSearchStatements } from './movement-search.ts'
import { movementStatements } from './movements.ts'
import { noticeStatements } from './notices.ts'
import { orderMarkStatements } from './order-marks.ts'
import { promptStatements } from './prompts.ts'
import { queueStatements } from './queues.ts'
import { retentionStatements } from './retention.ts'
import { scheduledQueryStatements } from './scheduled-queries.ts'
import { transactionStatements } from './transactions.ts'

import type { Dialect } from '../dialect.ts'

export function statementsOf(dialect: Dialect) {
  return {
    ...transactionStatements(dialect),
    ...scheduledQueryStatements(dialect),
    ...queueStatements(dialect),
    ...eventStatements(dialect),
    ...retentionStatements(dialect),
    ...promptStatements(dialect),
    ...noticeStatements(dialect),
    ...linkStatements(dialect),
    ...movementStatements(dialect),
    ...movementSearchStatements(dialect),
    ...orderMarkStatements(dialect),
    ...merchantStatements(dialect),
    ...databaseStatements(dialect),
  }
}
