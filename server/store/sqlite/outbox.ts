/** Adds events, claims due events for delivery, and stores the results of deliveries. */

import type { Change, Changed, Store, Transaction } from '../../store.ts'
import type { Part } from '../rows.ts'
import type { CommitGroup } from './commit-group.ts'
import type { Statements } from './statements.ts'
import { DueParts, DueRow, EventRow, PartRows } from '../rows.ts'

/** The maximum number of deliveries that one commit makes due earlier. */
const HASTENED_AT_ONCE = 2_000

/** @param announce Called after a commit that changed when the next event of a transaction is due. */
export function createOutbox(
  statements: Statements,
  writes: CommitGroup,
  announce: (change: Changed) => void,
) {
  return {
    async claimEvents(account, queue, now, leaseUntil, limit) {
      const { hasDueEvents, claimOutbox, nextEvent } = statements
      const isRetry = queue === 'retries' ? 1 : 0
      return writes.add(() => {
        if (hasDueEvents.get({ account, isRetry, now }) === undefined) return []
        const parts = PartRows.parse(claimOutbox.all({ account, isRetry, now, leaseUntil, limit }))
        return parts.map((part) => EventRow.parse(nextEvent.get(part)))
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
        return PartRows.parse(finished).map((part) => release(statements, part))
      })
      changes.forEach(announce)
    },

    async hastenEvents(account, now, spans) {
      const { hastenOutbox, hastenEvents } = statements
      const values = { account, now, createdSince: 0, ...spans, limit: HASTENED_AT_ONCE }
      const hasten = () => {
        const hastened = DueParts.parse(hastenOutbox.all(values))
        for (const part of hastened) hastenEvents.run(part)
        return hastened.length
      }
      while ((await writes.add(hasten)) === HASTENED_AT_ONCE);
    },

    async replayEvent(account, id, at) {
      const { replayEvent, addToOutbox } = statements
      const changes = await writes.add(() =>
        PartRows.parse(replayEvent.all({ account, id, at })).map((part) => {
          addToOutbox.run({ ...part, account, at })
          return release(statements, part)
        }),
      )
      changes.forEach(announce)
      return changes.length > 0
    },
  } satisfies Partial<Store>
}

/** Stores the events of a change. Called within a commit. */
export function addEvents(
  { addEvent, addToOutbox }: Statements,
  { id, account }: Transaction,
  { at, events = [] }: Change,
): void {
  for (const { about = '', ...event } of events) {
    addEvent.run({ ...event, about, transaction_id: id, account, at })
    // If there is a row, an earlier event is undelivered, and the new event waits for it.
    addToOutbox.run({ id, about, account, at })
  }
}

/** Ends the lease on the events about a part of a transaction, and schedules the next of these events. */
function release({ removeFromOutbox, releaseOutbox }: Statements, part: Part): Changed {
  removeFromOutbox.run(part)
  const { due } = DueRow.parse(releaseOutbox.get(part) ?? { due: null })
  return { id: part.id, due_at: null, event_due_at: due }
}
