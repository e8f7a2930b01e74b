/**
 * Finds and deletes what is old or personal in the store. Each deletion is one transaction. Its callers decide what is
 * deleted: `transactions/retention.ts`, and the command `erase`.
 */

import { z } from 'zod'

import { referenceKey } from '../../contract/fields.ts'
import { StoredEvent } from '../events.ts'
import { Sealed, Tombstone } from '../retention.ts'
import { Transaction } from '../transactions.ts'
import { eraseMovements } from './movements.ts'
import { cursorOf } from './statements.ts'

import type { Driver, Statement, Work } from '../driver.ts'
import type { Store } from '../store.ts'
import type { Statements } from './statements.ts'

const IdRow = z.object({ id: z.string() })
/** An event that is not deleted with its transaction's data. */
const KeptRow = StoredEvent.pick({ id: true, finish: true })
/** A row of a transaction, whose record is still JSON text. */
export const RecordRow = z.looseObject({ id: z.string(), record: z.string() })

interface Parts {
  driver: Driver
  sql: Statements
  /** The rows that are kept in memory. */
  rows: { forgetAll: () => void }
  /** Runs a statement, and parses the rows that it returns. */
  ask: <Row>(schema: z.ZodType<Row>, ...statement: Statement) => Promise<Row[]>
}

export function createErasure({ driver, sql, rows, ask }: Parts) {
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
      const next = searched.length < limit ? null : (searched.at(-1)?.id ?? null)
      return { rows: z.array(Transaction).parse(mentioning), next }
    },
    prune: (...args) => remove(() => prune(sql, ...args)),
    erase: (...args) => remove(() => erase(sql, ...args)),
    async reseal({ id, personal }, resealed) {
      await driver.query(sql.reseal, id, personal, resealed)
      rows.forgetAll()
    },
    truncateLog: () => driver.truncateLog(),
  } satisfies Partial<Store>

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
  ...[id, revision, { record, personal, movements }, parts, bodies]: Parameters<Store['erase']>
): Work<'erased' | 'changed' | 'undelivered'> {
  if ((yield [sql.erase, id, revision, JSON.stringify(record), personal]).length === 0) {
    return 'changed'
  }

  yield [sql.erasePress, id]
  for (const part of parts ?? [null]) {
    yield [sql.deleteFinished, id, part]
    const kept = z.array(KeptRow).parse(yield [sql.listKept, id, part])
    for (const { id: event, finish } of kept) {
      const body = bodies.find((each) => each.id === event)?.body
      if (finish === 'given_up' && body !== undefined) {
        yield [sql.replaceBody, event, body]
        continue
      }

      yield [sql.undo]
      return finish === null ? 'undelivered' : 'changed'
    }
  }

  if (movements) {
    yield* eraseMovements(sql, id, movements)
  }

  return 'erased'
}
