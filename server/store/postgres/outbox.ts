/** Claims due events for delivery, and stores the results of deliveries. */

import type { Changed, EventQueue, OutboxEvent, Store } from '../../store.ts'
import type { Changes } from './changes.ts'
import type { ClaimFloor } from './claim-floor.ts'
import type { Database } from './database.ts'
import { EventRows } from '../sqlite/rows.ts'
import { accountKey, ClaimedEvents, IdRows, LeasedRows, NewestRow, reached, ReleasedRows } from './rows.ts'
import { STATEMENTS } from './statements.ts'

type Outbox = Pick<Store, 'claimEvents' | 'finishEvent' | 'listEvents' | 'findEvent' | 'replayEvent'>

/** @param floorOf Returns the claim floor of a queue of the account with this key. */
export function createOutbox(
  database: Database,
  changes: Changes,
  floorOf: (account: string, queue: EventQueue) => ClaimFloor,
): Outbox {
  return {
    async claimEvents(account, queue, now, leaseUntil, limit) {
      const key = accountKey(account)
      const values = [key, now, leaseUntil, limit]
      const claim = (floor: number) => query('claimEvents', [...values, floor, queue === 'retries'])
      const rows = await floorOf(key, queue).claim(now, claim, reached(now, limit))
      const events: OutboxEvent[] = []
      const without: string[] = []
      for (const row of ClaimedEvents.parse(rows)) {
        if (row.id === null) without.push(row.leased)
        else events.push(row)
      }
      if (without.length > 0) await release(without, leaseUntil)
      return events
    },

    async finishEvent(id, delivery, at) {
      const { status = null, text = null } = delivery.answer ?? {}
      const finished =
        delivery.kind === 'retry'
          ? await query('retryEvent', [id, delivery.at, delivery.othersAt, status, text])
          : await query('finishEvent', [id, at, delivery.kind, status, text])
      for (const { id: transactionId, lease_until } of LeasedRows.parse(finished)) {
        const released = await release([transactionId], lease_until)
        released.forEach((change) => changes.announce(change))
      }
    },

    async listEvents(account, after, limit) {
      const [row] = await query('newestEvent')
      const { newest } = NewestRow.parse(row)
      return EventRows.parse(await query('listEvents', [accountKey(account), after, newest, limit]))
    },

    async findEvent(account, id) {
      const [found] = EventRows.parse(await query('findEvent', [accountKey(account), id]))
      return found ?? null
    },

    async replayEvent(account, id, at) {
      const key = accountKey(account)
      const replayed = IdRows.parse(await query('replayEvent', [key, id, at]))
      for (const { id: transactionId } of replayed) {
        floorOf(key, 'events').lower(at)
        changes.announce({ id: transactionId, due_at: null, event_due_at: at })
      }
      return replayed.length > 0
    },
  }

  /** Ends the leases until `leaseUntil` on events of these transactions, and makes the next event of each claimable. */
  async function release(transactionIds: string[], leaseUntil: number): Promise<Changed[]> {
    const released = ReleasedRows.parse(await query('release', [transactionIds, leaseUntil]))
    return released.map(({ id, account, is_retry, due }) => {
      floorOf(account, is_retry ? 'retries' : 'events').lower(due)
      return { id, due_at: null, event_due_at: due }
    })
  }

  function query(statement: keyof typeof STATEMENTS, values?: unknown[]): Promise<unknown[]> {
    return database.query(STATEMENTS[statement], values)
  }
}
