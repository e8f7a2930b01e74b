/** Prunes settled transactions, and replaces texts of transactions by masked texts. */

import type { MaskedTexts, Store, Tombstone, Transaction } from '../../store.ts'
import type { CommitGroup } from './commit-group.ts'
import type { RowCache } from './row-cache.ts'
import type { Statements } from './statements.ts'
import { z } from 'zod'
import { IdRows } from '../rows.ts'

const CheckpointRow = z.object({ busy: z.number() })

export function createRetention(statements: Statements, writes: CommitGroup, rows: RowCache) {
  return {
    prune: (before, tombstones) =>
      writes.add(() => {
        const pruned = tombstones.flatMap((tombstone) => pruneRow(statements, before, tombstone))
        for (const id of pruned) rows.delete(id)
        return pruned.length
      }),

    mask: (id, version, masked) =>
      writes.add(() => {
        const old = rows.read(id)
        if (old?.version !== version || (masked && hasUnfinished(statements, masked))) return false
        if (masked) replaceTexts(statements, rows, old, masked)
        if (!masked || masked.isComplete) statements.markMasked.run({ id })
        return true
      }),

    async truncateLog() {
      return CheckpointRow.parse(statements.truncateLog.get({})).busy === 0
    },
  } satisfies Partial<Store>
}

/**
 * Replaces one transaction with its tombstone. Returns a list with the transaction's id, or an empty list if the
 * transaction must be kept.
 */
function pruneRow(statements: Statements, before: number, tombstone: Tombstone): string[] {
  const { findPrunable, addTombstone, deleteHistory, deleteEvents, deleteTransaction } = statements
  const { account, kind, reference, group } = tombstone
  const found = IdRows.parse(findPrunable.all({ account, kind, reference, group, before }))
  return found.map(({ id }) => {
    deleteHistory.run({ id })
    deleteEvents.run({ id })
    deleteTransaction.run({ id })
    addTombstone.run({ ...tombstone })
    return id
  })
}

function hasUnfinished({ isUnfinished }: Statements, { events }: MaskedTexts): boolean {
  return events.some(({ id }) => isUnfinished.get({ id }) !== undefined)
}

function replaceTexts(statements: Statements, rows: RowCache, old: Transaction, masked: MaskedTexts): void {
  const { id, version } = old
  const { record, history, events } = masked
  rows.write({ ...old, record, version: version + 1 }, JSON.stringify(record), version)
  for (const { was, what } of history) statements.maskHistory.run({ id, was, what })
  for (const event of events) statements.maskEvent.run({ id: event.id, about: event.about, body: event.body })
}
