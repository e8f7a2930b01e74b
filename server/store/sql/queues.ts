/** Says when the next row of a queue is due, and how many rows are. A queue has no table of its own. */

import { z } from 'zod'

import { ACCOUNT, claimableAt, counted, KEPT } from './fragments.ts'

import type { Dialect } from '../dialect.ts'
import type { Statement } from '../driver.ts'
import type { MerchantAccount } from '../merchant-account.ts'
import type { Countable, QueueStore } from '../queues.ts'
import type { Deps } from './deps.ts'

type QueueStatements = ReturnType<typeof queueStatements>

export function queueStatements(dialect: Dialect) {
  const { schema, indexedBy } = dialect
  const claimable = claimableAt(dialect)
  const events = `${schema}events`
  return {
    nextTransactionDue: `
      SELECT ${claimable} AS due FROM ${schema}transactions WHERE ${ACCOUNT} AND due_at IS NOT NULL
      ORDER BY ${claimable} LIMIT 1`,
    nextEventDue: `SELECT min(due_at) AS due FROM ${events} WHERE ${ACCOUNT} AND queue = $2`,
    countDueTransactions: counted(
      `${schema}transactions WHERE account = $2 AND due_at IS NOT NULL AND ${claimable} <= $3`,
    ),
    countDueEvents: counted(`${events} WHERE account = $2 AND due_at <= $3 AND queue = $4`),
    // Of all accounts: events that no server delivers any more, since the environment was changed, are counted as well.
    countUndelivered: counted(`${events} ${indexedBy('events_unfinished')} WHERE finished_at IS NULL`),
    countOutcome: counted(`
      ${schema}transactions ${indexedBy('transactions_outcome')}
      WHERE account = $2 AND kind = $3 AND outcome = $4 AND ${KEPT}`),
  }
}

const NextDueRow = z.object({ due: z.int().nullable() })
const CountRow = z.object({ count: z.int() })

export function createQueues({ driver, sql, askOne }: Deps<QueueStatements>): QueueStore {
  return {
    async nextDue(account, queue) {
      const next = await (queue === 'transactions'
        ? askOne(NextDueRow, sql.nextTransactionDue, account)
        : askOne(NextDueRow, sql.nextEventDue, account, queue))
      return next?.due ?? null
    },

    async count(account, what, limit) {
      const [row] = await driver.query(...countOf(sql, account, what, limit))
      return CountRow.parse(row).count
    },
  }
}

function countOf(sql: QueueStatements, account: MerchantAccount, what: Countable, limit: number): Statement {
  switch (what.of) {
    case 'undelivered':
      return [sql.countUndelivered, limit]
    case 'outcome':
      return [sql.countOutcome, limit, account, what.kind, what.outcome]
    case 'due':
      return what.queue === 'transactions'
        ? [sql.countDueTransactions, limit, account, what.now]
        : [sql.countDueEvents, limit, account, what.now, what.queue]
  }
}
