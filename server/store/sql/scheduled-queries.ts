/** Claims the transactions about which the gateway is to be queried, and changes when that is. */

import { Transaction } from '../transactions.ts'
import {
  ACCOUNT,
  aheadOf,
  CHANGED,
  claimableAt,
  KEPT_ROW,
  KIND,
  newestOf,
  REQUESTED,
  TRANSACTION,
} from './fragments.ts'

import type { Dialect } from '../dialect.ts'
import type { ScheduledQueryStore } from '../scheduled-queries.ts'
import type { Deps } from './deps.ts'

export function scheduledQueryStatements(dialect: Dialect) {
  const { schema, greatest, lockFree, indexedBy } = dialect
  const claimable = claimableAt(dialect)
  const newest = newestOf(dialect)
  const ahead = aheadOf(dialect)
  return {
    claimTransactions: `
      WITH due AS MATERIALIZED (
        SELECT id FROM ${schema}transactions WHERE ${ACCOUNT} AND due_at IS NOT NULL AND ${claimable} <= $2
        ORDER BY ${claimable} LIMIT $4 ${lockFree})
      UPDATE ${schema}transactions SET ${CHANGED}, lease_until = $3
      WHERE id IN (SELECT id FROM due) RETURNING ${TRANSACTION}`,
    requestQuery: `
      UPDATE ${schema}transactions SET ${REQUESTED}, requested_at = $3, due_at = $3, lease_until = 0
      WHERE id = $1 AND revision = $2 AND ${KEPT_ROW} RETURNING id`,
    bringQueriesForward: `
      UPDATE ${schema}transactions SET ${REQUESTED}, requested_at = $2, due_at = $2 WHERE id IN (
        SELECT id FROM ${schema}transactions ${indexedBy('transactions_failed')}
        WHERE ${ACCOUNT} AND failures > 0 AND due_at > $2 AND lease_until <= $2 ORDER BY due_at LIMIT $3)
      RETURNING id`,
    // A clock has jumped back to $2. Transactions whose newest time lies after it become due earlier, by the
    // difference: they keep their pauses. Leases end at $3 at the latest.
    correctFutureTimes: `
      UPDATE ${schema}transactions SET ${CHANGED}, due_at = due_at - ${greatest}(0, ${newest} - $2),
        asked_at = CASE WHEN asked_at > $2 THEN $2 ELSE asked_at END,
        requested_at = CASE WHEN requested_at > $2 THEN $2 ELSE requested_at END,
        lease_until = CASE WHEN lease_until > $3 THEN $3 ELSE lease_until END
      WHERE ${ACCOUNT} AND due_at IS NOT NULL AND ${ahead} > $2 AND (${newest} > $2 OR lease_until > $3)`,
    listScheduled: `
      SELECT ${TRANSACTION} FROM ${schema}transactions ${indexedBy('transactions_due')}
      WHERE ${KIND} AND due_at IS NOT NULL AND id > $3 ORDER BY id LIMIT $4`,
  }
}

export function createScheduledQueries({
  driver,
  sql,
  ask,
  rows,
  announce,
}: Deps<ReturnType<typeof scheduledQueryStatements>>): ScheduledQueryStore {
  return {
    async claimTransactions(account, now, leaseUntil, limit) {
      await driver.expectUsable('claim')
      const claimed = await driver.query(sql.claimTransactions, account, now, leaseUntil, limit)
      return claimed.map(rows.keep)
    },

    async requestQuery(id, revision, at) {
      const requested = await driver.query(sql.requestQuery, id, revision, at)
      if (requested.length === 0) {
        return false
      }

      rows.forget(id)
      announce({ id, due_at: at, event_due_at: null })
      return true
    },

    async bringQueriesForward(account, now, limit) {
      const brought = await driver.query(sql.bringQueriesForward, account, now, limit)
      rows.forgetAll()
      return brought.length
    },

    async correctFutureTimes(account, now, leaseUntil) {
      await driver.query(sql.correctFutureTimes, account, now, leaseUntil)
      rows.forgetAll()
    },

    listScheduled: (account, kind, afterId, limit) =>
      ask(Transaction, sql.listScheduled, account, kind, afterId, limit),
  }
}
