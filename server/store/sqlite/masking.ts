/** Lists transactions whose personal data are not masked, and replaces texts of transactions by masked texts. */

import type { MaskedTexts, Store, Transaction } from '../../store.ts'
import type { CommitGroup } from './commit-group.ts'
import type { Statements } from './statements.ts'
import { CheckpointRow, Rows, StoredEvents, WindowRow } from './rows.ts'

type Masking = Pick<Store, 'listUnmasked' | 'listEventsOf' | 'mask' | 'findMentioning' | 'truncateLog'>

/** Reads and writes rows of the store. Rows are also kept in memory. */
interface StoredRows {
  read(id: string): Transaction | null
  /** Writes a row and its new record, if `was` is the stored version. */
  update(row: Transaction, record: string, was: number): void
}

export function createMasking(statements: Statements, writes: CommitGroup, rows: StoredRows): Masking {
  const { listUnmasked, listEventsOf, findWindow, findMentioning, truncateLog } = statements
  const hasUnfinished = ({ events }: MaskedTexts) =>
    events.some(({ id }) => statements.isUnfinished.get({ id }) !== undefined)

  return {
    async listUnmasked(account, before, after, limit) {
      const { updated_at, id } = after ?? { updated_at: -1, id: '' }
      return Rows.parse(listUnmasked.all({ ...account, before, updated_at, id, limit }))
    },

    async listEventsOf(id) {
      return StoredEvents.parse(listEventsOf.all({ id }))
    },

    mask: (id, version, masked) =>
      writes.add(() => {
        const old = rows.read(id)
        if (old?.version !== version || (masked && hasUnfinished(masked))) return false
        if (masked) replaceTexts(old, masked)
        if (!masked || masked.isComplete) statements.markMasked.run({ id })
        return true
      }),

    async findMentioning(account, texts, after, limit) {
      const { last, count } = WindowRow.parse(findWindow.get({ ...account, after, limit }))
      if (last === null) return { rows: [], next: null }
      const found = findMentioning.all({ ...account, texts: JSON.stringify(texts), after, last })
      return { rows: Rows.parse(found), next: count < limit ? null : last }
    },

    async truncateLog() {
      return CheckpointRow.parse(truncateLog.get({})).busy === 0
    },
  }

  function replaceTexts(old: Transaction, { record, history, events }: MaskedTexts): void {
    const { id, version } = old
    rows.update({ ...old, record, version: version + 1 }, JSON.stringify(record), version)
    for (const { was, what } of history) statements.maskHistory.run({ id, was, what })
    for (const event of events)
      statements.maskEvent.run({ id: event.id, about: event.about, body: event.body })
  }
}
