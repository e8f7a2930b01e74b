/** Prunes settled transactions, and reads their tombstones. */

import type { Store, Tombstone } from '../../store.ts'
import type { CommitGroup } from './commit-group.ts'
import type { Statements } from './statements.ts'
import { IdRows, MarkRow, Rows, TombstoneRows } from './rows.ts'

type Retention = Pick<Store, 'listEnded' | 'prune' | 'listTombstones' | 'recoveredAt'>

/** @param forget Called with the id of each deleted transaction. */
export function createRetention(
  statements: Statements,
  writes: CommitGroup,
  forget: (id: string) => void,
): Retention {
  // Read once, because the command `recover` runs only while no server is running.
  const recoveredAt = MarkRow.parse(statements.recoveredAt.get({})).at
  return {
    async listEnded(account, before, after, limit) {
      const { updated_at, id } = after ?? { updated_at: -1, id: '' }
      return Rows.parse(statements.listEnded.all({ ...account, before, updated_at, id, limit }))
    },

    prune: (before, tombstones) =>
      writes.add(() => {
        const pruned = tombstones.flatMap((tombstone) => pruneRow(statements, before, tombstone))
        for (const id of pruned) forget(id)
        return pruned.length
      }),

    async listTombstones(account, kind, group) {
      return TombstoneRows.parse(statements.listTombstones.all({ ...account, kind, group }))
    },

    recoveredAt: async () => recoveredAt,
  }
}

/**
 * Replaces one transaction with its tombstone. Returns a list with the transaction's id, or an empty list if the
 * transaction must be kept.
 */
function pruneRow(statements: Statements, before: number, { account, ...tombstone }: Tombstone): string[] {
  const { findPrunable, addTombstone, deleteHistory, deleteEvents, deleteTransaction } = statements
  const { kind, reference, group } = tombstone
  const found = IdRows.parse(findPrunable.all({ ...account, kind, reference, group, before }))
  return found.map(({ id }) => {
    deleteHistory.run({ id })
    deleteEvents.run({ id })
    deleteTransaction.run({ id })
    addTombstone.run({ ...account, ...tombstone })
    return id
  })
}
