/**
 * Prunes settled transactions, and replaces texts of transactions by masked texts. The row of a pruned transaction stays
 * in the table as a tombstone, without the record.
 */

import type { Retention } from '../../store.ts'
import type { Database } from './database.ts'
import { IdRows, Rows, StoredEvents, TombstoneRows, WindowRow } from '../rows.ts'
import { accountKey } from './statements.ts'

export function createRetention(database: Database): Retention {
  return {
    async listEnded(account, before, after, limit) {
      const { updated_at, id } = after ?? { updated_at: -1, id: '' }
      return Rows.parse(await database.run('listEnded', [accountKey(account), before, updated_at, id, limit]))
    },

    async prune(before, tombstones) {
      const columns = ['kind', 'reference', 'amount', 'digest'] as const
      const values = columns.map((column) => tombstones.map((tombstone) => tombstone[column]))
      const accounts = tombstones.map(({ account }) => accountKey(account))
      return (await database.run('prune', [before, accounts, ...values])).length
    },

    async listTombstones(account, kind, group) {
      return TombstoneRows.parse(await database.run('listTombstones', [accountKey(account), kind, group]))
    },

    async listUnmasked(account, before, after, limit) {
      const { updated_at, id } = after ?? { updated_at: -1, id: '' }
      return Rows.parse(
        await database.run('listUnmasked', [accountKey(account), before, updated_at, id, limit]),
      )
    },

    async listEventsOf(id) {
      return StoredEvents.parse(await database.run('listEventsOf', [id]))
    },

    async mask(id, version, masked) {
      if (masked === null) return isChanged(await database.run('markMasked', [id, version]))
      const { record, isComplete, history, events } = masked
      return isChanged(
        await database.run('mask', [
          id,
          version,
          JSON.stringify(record),
          isComplete,
          history.map(({ was }) => was),
          history.map(({ what }) => what),
          events.map((event) => event.id),
          events.map(({ about }) => about),
          events.map(({ body }) => body),
        ]),
      )
    },

    async findMentioning(account, texts, after, limit) {
      const key = accountKey(account)
      const [part] = await database.run('findWindow', [key, after, limit])
      const { last, count } = WindowRow.parse(part)
      if (last === null) return { rows: [], next: null }
      const found = await database.run('findMentioning', [key, after, last, texts])
      return { rows: Rows.parse(found), next: count < limit ? null : last }
    },

    truncateLog: async () => true,
  }
}

function isChanged(rows: unknown[]): boolean {
  return IdRows.parse(rows).length > 0
}
