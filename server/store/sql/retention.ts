/**
 * Finds and deletes what is old or personal in the store. Each deletion is one transaction. Its callers decide what is
 * deleted: `transactions/retention.ts`, and the command `erase`.
 */

import { z } from 'zod'

import { referenceKey } from '../../contract/comparison-keys.ts'
import { StoredEvent } from '../events.ts'
import { Sealed, Tombstone } from '../retention.ts'
import { FOR_A_PERSON, Transaction } from '../transactions.ts'
import { ACCOUNT, CHANGED, cursorOf, KEPT, KEPT_ROW, KIND, TRANSACTION } from './fragments.ts'
import { RecordRow } from './kept-rows.ts'
import { eraseMovements } from './movements.ts'

import type { Dialect } from '../dialect.ts'
import type { Work } from '../driver.ts'
import type { ErasedBody, ErasedData, RetentionStore } from '../retention.ts'
import type { DatabaseStatements } from './database.ts'
import type { Deps } from './deps.ts'
import type { MovementStatements } from './movements.ts'
import type { NoticeStatements } from './notices.ts'

type Statements = ReturnType<typeof retentionStatements> &
  MovementStatements &
  NoticeStatements &
  DatabaseStatements

export function retentionStatements({ schema, indexedBy }: Dialect) {
  const transactions = `${schema}transactions`
  const events = `${schema}events`
  const select = `SELECT ${TRANSACTION} FROM ${transactions}`
  // All parts, if $2 is null.
  const part = 'transaction_id = $1 AND about = coalesce($2, about)'
  const old = `${ACCOUNT} AND ${KEPT} AND due_at IS NULL AND updated_at < $2 AND (updated_at, id) > ($3, $4)`
  return {
    // SQLite's own index of the primary key. With another index, each page would read and sort all rows of the account.
    listAll: `${select} ${indexedBy('sqlite_autoindex_transactions_1')} WHERE ${ACCOUNT} AND ${KEPT} AND id > $2
      ORDER BY id LIMIT $3`,
    listEnded: `${select} ${indexedBy('transactions_ended')} WHERE ${old} ORDER BY updated_at, id LIMIT $5`,
    // The row of a pruned transaction stays in the table as a tombstone, without the record. A group is kept as a whole
    // while one of its transactions is due, has changed since $4, waits for a person, or has an event that is not
    // finished or was given up.
    prune: `
      UPDATE ${transactions} SET ${CHANGED}, record = 'null', history = '', personal = NULL, amount = $5, digest = $6
      WHERE ${KIND} AND reference_key = $3 AND ${KEPT_ROW} AND NOT EXISTS (
        SELECT 1 FROM ${transactions} same WHERE same.account = $1 AND same.kind = $2
          AND same.group_key = ${transactions}.group_key AND (same.due_at IS NOT NULL OR same.updated_at >= $4
            OR same.outcome IN ('${FOR_A_PERSON.join("', '")}')
            OR EXISTS (SELECT 1 FROM ${events} WHERE transaction_id = same.id AND coalesce(finish, 'given_up') = 'given_up')))
      RETURNING id`,
    deleteFinished: `DELETE FROM ${events} WHERE ${part} AND finish <> 'given_up'`,
    listTombstones: `
      SELECT account, kind, reference, "group", attempt, outcome, amount, digest
      FROM ${transactions} WHERE ${KIND} AND group_key = $3 AND digest IS NOT NULL ORDER BY attempt`,
    erase: `
      UPDATE ${transactions} SET ${CHANGED}, version = version + 1, record = $3, history = '', personal = $4
      WHERE id = $1 AND revision = $2 AND ${KEPT_ROW} RETURNING id`,
    // The press stays, so that its name is not pressed anew.
    erasePress: `
      UPDATE ${schema}presses SET personal = NULL, network = NULL WHERE (account, "order") IN (
        SELECT account, group_key FROM ${transactions} WHERE id = $1)`,
    listRemaining: `SELECT id, finish FROM ${events} WHERE ${part}`,
    // The last answer may name a person, too.
    replaceBody: `UPDATE ${events} SET body = $2, last_answer = NULL WHERE id = $1`,
    listPersonal: `
      SELECT ${TRANSACTION} FROM ${transactions} t ${indexedBy('transactions_personal')}
      WHERE ${KIND} AND due_at IS NULL AND personal IS NOT NULL AND updated_at < $3 AND (updated_at, id) > ($4, $5)
        AND NOT EXISTS (SELECT 1 FROM ${events} WHERE transaction_id = t.id AND finished_at IS NULL)
      ORDER BY updated_at, id LIMIT $6`,
    // Runs only while a secret is replaced, so that it needs no index of its own, which each commit would change.
    listSealed: `
      SELECT id, updated_at, personal FROM ${transactions} ${indexedBy('transactions_changed')}
      WHERE ${KIND} AND ${KEPT} AND substr(personal, 1, length(CAST($3 AS text))) = $3
        AND (updated_at, id) > ($4, $5) ORDER BY updated_at, id LIMIT $6`,
    reseal: `UPDATE ${transactions} SET ${CHANGED}, personal = $3 WHERE id = $1 AND personal = $2`,
  }
}

const IdRow = z.object({ id: z.string() })
/** An event that is not deleted with the data of its transaction: it is not finished, or was given up. */
const RemainingRow = StoredEvent.pick({ id: true, finish: true })
export function createRetention({ driver, sql, rows, ask }: Deps<Statements>): RetentionStore {
  return {
    listEnded: (account, before, after, limit) =>
      ask(Transaction, sql.listEnded, account, before, ...cursorOf(after), limit),
    listPersonal: (account, kind, before, after, limit) =>
      ask(Transaction, sql.listPersonal, account, kind, before, ...cursorOf(after), limit),
    listSealed: (account, kind, key, after, limit) =>
      ask(Sealed, sql.listSealed, account, kind, key, ...cursorOf(after), limit),
    listTombstones: (account, kind, group) =>
      ask(Tombstone, sql.listTombstones, account, kind, referenceKey(group)),

    async findMentioning(account, texts, after, limit) {
      const searched = await ask(RecordRow, sql.listAll, account, after, limit)
      const mentioning = searched.filter(({ record }) => {
        const lowerCase = record.toLowerCase()
        return texts.some((each) => lowerCase.includes(each))
      })
      const isEnd = searched.length < limit
      const next = isEnd ? null : (searched.at(-1)?.id ?? null)
      return { rows: z.array(Transaction).parse(mentioning), next }
    },

    prune: (before, tombstones) => remove(() => prune(sql, before, tombstones)),
    erase: (id, revision, erased, parts, bodies) =>
      remove(() => erase(sql, id, revision, erased, parts, bodies)),

    async reseal({ id, personal }, resealed) {
      await driver.query(sql.reseal, id, personal, resealed)
      rows.forgetAll()
    },
  }

  async function remove<Result>(work: () => Work<Result>): Promise<Result> {
    const result = await driver.transaction(work)
    rows.forgetAll()
    return result
  }
}

function* prune(sql: Statements, before: number, tombstones: readonly Tombstone[]): Work<number> {
  let count = 0
  for (const { account, kind, reference, amount, digest } of tombstones) {
    const [pruned] = yield [sql.prune, account, kind, referenceKey(reference), before, amount, digest]
    if (pruned === undefined) {
      continue
    }

    const { id } = IdRow.parse(pruned)
    yield [sql.deleteFinished, id, null]
    yield [sql.deleteNotices, id]
    yield [sql.deleteMovements, id]
    count += 1
  }

  return count
}

function* erase(
  sql: Statements,
  id: string,
  revision: number,
  { record, personal, movements }: ErasedData,
  parts: readonly string[] | null,
  bodies: readonly ErasedBody[],
): Work<'erased' | 'changed' | 'undelivered'> {
  const erased = yield [sql.erase, id, revision, JSON.stringify(record), personal]
  if (erased.length === 0) {
    return 'changed'
  }

  yield [sql.erasePress, id]
  for (const part of parts ?? [null]) {
    yield [sql.deleteFinished, id, part]
    const remaining = RemainingRow.array().parse(yield [sql.listRemaining, id, part])
    for (const event of remaining) {
      const body = bodies.find((each) => each.id === event.id)?.body
      if (event.finish === 'given_up' && body !== undefined) {
        yield [sql.replaceBody, event.id, body]
        continue
      }

      yield [sql.undo]
      return event.finish === null ? 'undelivered' : 'changed'
    }
  }

  if (movements) {
    yield* eraseMovements(sql, id, movements)
  }

  return 'erased'
}
