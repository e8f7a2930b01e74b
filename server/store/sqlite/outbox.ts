/** Adds events, claims due events for delivery, and stores the results of deliveries. */

import type { Change, Changed, Outbox, Transaction } from '../../store.ts'
import type { CommitGroup } from './commit-group.ts'
import type { Statements } from './statements.ts'
import { DueRow, DueRows, EventRow, EventRows, IdRows } from '../rows.ts'

/** The maximum number of deliveries that one commit makes due earlier. */
const HASTENED_AT_ONCE = 2_000

/** @param announce Called after a commit that changed when the next event of a transaction is due. */
export function createOutbox(
  statements: Statements,
  writes: CommitGroup,
  announce: (change: Changed) => void,
): Outbox {
  return {
    async claimEvents(account, queue, now, leaseUntil, limit) {
      const { hasDueEvents, claimOutbox, nextEvent } = statements
      const isRetry = queue === 'retries' ? 1 : 0
      return writes.add(() => {
        if (hasDueEvents.get({ account, isRetry, now }) === undefined) return []
        const ids = IdRows.parse(claimOutbox.all({ account, isRetry, now, leaseUntil, limit }))
        return ids.map(({ id }) => EventRow.parse(nextEvent.get({ id })))
      })
    },

    async finishEvent(id, delivery, at) {
      const { retryEvent, finishEvent } = statements
      const changes = await writes.add(() => {
        const isRetry = delivery.kind === 'retry'
        const { status = null, text = null } = delivery.answer ?? {}
        const finished = isRetry
          ? retryEvent.all({ id, at: delivery.at, status, text })
          : finishEvent.all({ id, at, finish: delivery.kind, status, text })
        const pauseUntil = isRetry ? delivery.othersAt : 0
        return IdRows.parse(finished).map((row) => release(statements, row.id, pauseUntil))
      })
      changes.forEach(announce)
    },

    async hastenEvents(account, now, spans) {
      const { hastenOutbox, hastenEvents } = statements
      const values = { account, now, ...spans, limit: HASTENED_AT_ONCE }
      const hasten = () => {
        const hastened = DueRows.parse(hastenOutbox.all(values))
        for (const { id, due } of hastened) hastenEvents.run({ id, due })
        return hastened.length
      }
      while ((await writes.add(hasten)) === HASTENED_AT_ONCE);
    },

    async listEvents(account, after, limit) {
      return EventRows.parse(statements.listEvents.all({ account, after, limit }))
    },

    async findEvent(account, id) {
      const found = statements.findEvent.get({ account, id })
      return found === undefined ? null : EventRow.parse(found)
    },

    async replayEvent(account, id, at) {
      const { replayEvent } = statements
      const changes = await writes.add(() =>
        IdRows.parse(replayEvent.all({ account, id, at })).map((transaction) => {
          schedule(statements, { ...transaction, account }, at)
          return release(statements, transaction.id, 0)
        }),
      )
      changes.forEach(announce)
      return changes.length > 0
    },
  }
}

/** Stores the events of a change. Called within a commit. */
export function addEvents(statements: Statements, row: Transaction, { at, events = [] }: Change): void {
  for (const event of events) statements.addEvent.run({ about: '', ...event, transaction_id: row.id, at })
  if (events.length > 0) schedule(statements, row, at)
}

function schedule(
  { addToOutbox, updateOutbox }: Statements,
  { id, account }: Pick<Transaction, 'id' | 'account'>,
  at: number,
): void {
  const isNew = addToOutbox.run({ id, account, at }).changes === 1
  if (!isNew) updateOutbox.get({ id })
}

/** Ends the lease on the transaction's events, and schedules the next event at `pauseUntil` or later. */
function release(statements: Statements, id: string, pauseUntil: number): Changed {
  const { releaseOutbox, removeFromOutbox, updateOutbox } = statements
  releaseOutbox.run({ id, pauseUntil })
  removeFromOutbox.run({ id })
  const { due } = DueRow.parse(updateOutbox.get({ id }) ?? { due: null })
  return { id, due_at: null, event_due_at: due }
}
