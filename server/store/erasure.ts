/**
 * Deletes what is old or personal from the store, in one transaction each. What may go, is decided by the callers:
 * `transactions/retention.ts`, and the command `erase`.
 */

import type { Driver, Statement, Work } from './driver.ts'
import type { Statements } from './statements.ts'
import type { Store, Tombstone } from './store.ts'
import { z } from 'zod'

const IdRow = z.object({ id: z.string() })

interface Parts {
  driver: Driver
  sql: Statements
  /** The rows that are kept in memory. */
  rows: { forgetAll: () => void }
}

export function createErasure({ driver, sql, rows }: Parts) {
  return {
    prune: (...args) => remove(() => prune(sql, ...args)),
    erase: (...args) => remove(() => erase(sql, ...args)),
    erasePersonal: (...args) => remove(() => erasePersonal(sql, ...args)),
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
    const [pruned] = yield [sql.prune, account, kind, reference, before, amount, digest]
    if (pruned === undefined) continue
    yield* deleteTraces(sql, IdRow.parse(pruned).id, null)
    count += 1
  }
  return count
}

function* erase(
  sql: Statements,
  ...[id, version, { record, personal }, parts]: Parameters<Store['erase']>
): Work<'erased' | 'changed' | 'undelivered'> {
  if ((yield [sql.erase, id, version, JSON.stringify(record), personal]).length === 0) return 'changed'
  for (const part of parts ?? [null]) {
    if ((yield [sql.findUnfinished, id, part]).length > 0) {
      yield [sql.undo]
      return 'undelivered'
    }
    yield* deleteTraces(sql, id, part)
  }
  return 'erased'
}

function* erasePersonal(
  sql: Statements,
  ...[account, before, limit]: Parameters<Store['erasePersonal']>
): Work<number> {
  const old = z.array(IdRow).parse(yield [sql.listPersonal, account, before, limit])
  for (const { id } of old) {
    yield [sql.erasePersonal, id]
    yield* deleteTraces(sql, id, null)
  }
  return old.length
}

/** Deletes the history of a transaction, and its events about the part, or all if `part` is `null`. */
function* deleteTraces(sql: Statements, id: string, part: string | null): Generator<Statement, void> {
  yield [sql.deleteHistory, id]
  yield [sql.deleteEvents, id, part]
}
