/**
 * Prunes settled transactions. The row of a pruned transaction stays in the table as a tombstone, without the record.
 */

import type { Store } from '../../store.ts'
import { accountKey, MarkRow } from './rows.ts'
import { STATEMENTS } from './statements.ts'
import { Rows, TombstoneRows } from '../sqlite/rows.ts'
import type { Database } from './database.ts'

type Retention = Pick<Store, 'listEnded' | 'prune' | 'listTombstones' | 'recoveredAt'>

export function createRetention(database: Database): Retention {
  return {
    async listEnded(account, before, after, limit) {
      const { updated_at, id } = after ?? { updated_at: -1, id: '' }
      const values = [accountKey(account), before, updated_at, id, limit]
      return Rows.parse(await database.query(STATEMENTS.listEnded, values))
    },

    async prune(before, tombstones) {
      const columns = ['kind', 'reference', 'amount', 'digest'] as const
      const values = columns.map((column) => tombstones.map((tombstone) => tombstone[column]))
      const accounts = tombstones.map(({ account }) => accountKey(account))
      return (await database.query(STATEMENTS.prune, [before, accounts, ...values])).length
    },

    async listTombstones(account, kind, group) {
      return TombstoneRows.parse(
        await database.query(STATEMENTS.listTombstones, [accountKey(account), kind, group]),
      )
    },

    // Read each time: the database may be recovered while servers run.
    async recoveredAt() {
      const [row] = await database.query(STATEMENTS.recoveredAt)
      return MarkRow.parse(row).at
    },
  }
}
