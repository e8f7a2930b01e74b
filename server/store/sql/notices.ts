/** Stores notices, and claims those that are due. */

import { z } from 'zod'

import { StoredNotice } from '../notices.ts'

import type { Dialect } from '../dialect.ts'
import type { Work } from '../driver.ts'
import type { NewNotice, NoticeStore } from '../notices.ts'
import type { Deps } from './deps.ts'

export type NoticeStatements = ReturnType<typeof noticeStatements>

export function noticeStatements({ schema, lockFree }: Dialect) {
  const notices = `${schema}notices`
  const columns = `id, transaction_id, way, reader, type, came, went, held, created_at, finish, failures, unanswered,
    (SELECT trace_id FROM ${schema}transactions t WHERE t.id = transaction_id) AS trace_id`
  const ofWay = 'account = $1 AND way = $2'
  return {
    addNotice: `
      INSERT INTO ${notices} (id, transaction_id, account, way, reader, type, came, went, held, created_at, due_at)
      SELECT CAST($2 AS text), t.id, t.account, CAST($3 AS text), CAST($4 AS text), CAST($5 AS text),
        CAST($6 AS text), CAST($7 AS text), CAST($8 AS text), CAST($9 AS bigint), CAST($9 AS bigint)
      FROM ${schema}transactions t WHERE t.id = $1`,
    claimNotices: `
      WITH due AS MATERIALIZED (
        SELECT id FROM ${notices} WHERE ${ofWay} AND due_at <= $3 ORDER BY due_at LIMIT $5 ${lockFree})
      UPDATE ${notices} SET due_at = $4 WHERE id IN (SELECT id FROM due) RETURNING ${columns}`,
    retryNotice: `
      UPDATE ${notices} SET failures = failures + 1, unanswered = unanswered + $3, due_at = $2
      WHERE id = $1 AND finish IS NULL`,
    finishNotice: `UPDATE ${notices} SET finish = $2, due_at = NULL WHERE id = $1 AND finish IS NULL`,
    listNoticesOf: `SELECT ${columns} FROM ${notices} WHERE transaction_id = $1 ORDER BY created_at, id`,
    deleteNotices: `DELETE FROM ${notices} WHERE transaction_id = $1`,
    nextNoticeDue: `SELECT min(due_at) AS due FROM ${notices} WHERE ${ofWay} AND due_at IS NOT NULL`,
    limitNotices: `UPDATE ${notices} SET due_at = $3 WHERE ${ofWay} AND due_at > $3`,
  }
}

const NextDueRow = z.object({ due: z.int().nullable() })

export function createNotices({ driver, sql, ask, askOne }: Deps<NoticeStatements>): NoticeStore {
  return {
    async claimNotices(account, way, now, leaseUntil, limit) {
      await driver.expectUsable('claim')
      return ask(StoredNotice, sql.claimNotices, account, way, now, leaseUntil, limit)
    },

    async retryNotice(id, at, isUnanswered) {
      await driver.query(sql.retryNotice, id, at, isUnanswered ? 1 : 0)
    },

    async finishNotice(id, finish) {
      await driver.query(sql.finishNotice, id, finish)
    },

    listNoticesOf: (id) => ask(StoredNotice, sql.listNoticesOf, id),

    async nextNoticeDue(account, way) {
      const next = await askOne(NextDueRow, sql.nextNoticeDue, account, way)
      return next?.due ?? null
    },

    async limitNotices(account, way, latest) {
      await driver.query(sql.limitNotices, account, way, latest)
    },
  }
}

/** Adds the notices of a commit. */
export function* addNotices(
  sql: NoticeStatements,
  transactionId: string,
  notices: readonly NewNotice[],
  at: number,
): Work<void> {
  for (const { id, way, reader, type, came, went, held } of notices) {
    yield [sql.addNotice, transactionId, id, way, reader, type, came, went, held, at]
  }
}
