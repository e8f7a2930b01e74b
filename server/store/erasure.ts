/**
 * Prunes old transactions, and erases personal data, with the history and the events about them. Which, is decided by
 * the callers: `transactions/retention.ts`, and `erase` of each kind.
 */

import type { Driver, Work } from './driver.ts'
import type { Statements } from './statements.ts'
import type { Store, Tombstone } from './store.ts'
import { z } from 'zod'
import { Undone } from './driver.ts'

const IdRow = z.object({ id: z.string() })

interface Parts {
  driver: Driver
  sql: Statements
  /** The rows that are kept in memory. */
  rows: { forget: (id: string) => void }
}

export function createErasure({ driver, sql, rows }: Parts) {
  return {
    async prune(before, tombstones) {
      const pruned = await driver.transaction(() => pruneAll(sql, before, tombstones))
      for (const id of pruned) rows.forget(id)
      return pruned.length
    },
    async erase(id, version, erased, parts) {
      const result = await driver.transaction(() => eraseParts(sql, id, version, erased, parts))
      rows.forget(id)
      return result
    },
    async erasePersonal(account, before, limit) {
      const erased = await driver.transaction(() => eraseOld(sql, account, before, limit))
      for (const id of erased) rows.forget(id)
      return erased.length
    },
    async reseal({ id, personal }, resealed) {
      await driver.query(sql.reseal, id, personal, resealed)
      rows.forget(id)
    },
    truncateLog: () => driver.truncateLog(),
  } satisfies Partial<Store>
}

function* pruneAll(sql: Statements, before: number, tombstones: readonly Tombstone[]): Work<string[]> {
  const pruned: string[] = []
  for (const { account, kind, reference, amount, digest } of tombstones) {
    const [found] = yield [sql.prune, account, kind, reference, before, amount, digest]
    if (found === undefined) continue
    const { id } = IdRow.parse(found)
    yield [sql.deleteHistory, id]
    yield [sql.deleteEvents, id, null]
    pruned.push(id)
  }
  return pruned
}

function* eraseParts(
  sql: Statements,
  ...[id, version, { record, personal }, parts]: Parameters<Store['erase']>
): Work<'erased' | 'changed' | 'undelivered'> {
  if ((yield [sql.erase, id, version, JSON.stringify(record), personal]).length === 0) return 'changed'
  for (const part of parts ?? [null]) {
    if ((yield [sql.findUnfinished, id, part]).length > 0) return new Undone('undelivered')
    yield [sql.deleteHistory, id]
    yield [sql.deleteEvents, id, part]
  }
  return 'erased'
}

function* eraseOld(
  sql: Statements,
  ...[account, before, limit]: Parameters<Store['erasePersonal']>
): Work<string[]> {
  const old = z.array(IdRow).parse(yield [sql.listPersonal, account, before, limit])
  for (const { id } of old) {
    yield [sql.erasePersonal, id]
    yield [sql.deleteHistory, id]
    yield [sql.deleteEvents, id, null]
  }
  return old.map(({ id }) => id)
}
