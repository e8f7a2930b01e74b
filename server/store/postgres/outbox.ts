/** Claims due events for delivery, and stores the results of deliveries. */

import type { Changed, Outbox, OutboxEvent } from '../../store.ts'
import type { Changes } from './changes.ts'
import type { Database } from './database.ts'
import { z } from 'zod'
import { EventRow, EventRows, IdRows } from '../rows.ts'
import { accountKey } from './statements.ts'

/** The maximum number of deliveries that one statement makes due earlier. */
const HASTENED_AT_ONCE = 2_000

const ClaimedEvents = z.array(z.union([EventRow, z.object({ leased: z.string(), id: z.null() })]))
const LeasedRows = z.array(z.object({ id: z.string(), lease_until: z.number() }))
const ReleasedRows = z.array(z.object({ id: z.string(), due: z.number().nullable() }))
const NewestRow = z.object({ newest: z.number() })

export function createOutbox(database: Database, changes: Changes): Outbox {
  return {
    async claimEvents(account, queue, now, leaseUntil, limit) {
      await database.checkOrigin()
      const values = [accountKey(account), now, leaseUntil, limit, queue === 'retries']
      const events: OutboxEvent[] = []
      const without: string[] = []
      for (const row of ClaimedEvents.parse(await database.run('claimEvents', values))) {
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
          ? await database.run('retryEvent', [id, delivery.at, delivery.othersAt, status, text])
          : await database.run('finishEvent', [id, at, delivery.kind, status, text])
      for (const { id: transactionId, lease_until } of LeasedRows.parse(finished)) {
        const released = await release([transactionId], lease_until)
        released.forEach((change) => changes.announce(change))
      }
    },

    async hastenRetries(account, now, spreadMs) {
      const values = [accountKey(account), now, spreadMs, HASTENED_AT_ONCE]
      while ((await database.run('hastenRetries', values)).length === HASTENED_AT_ONCE);
    },

    async listEvents(account, after, limit) {
      const [row] = await database.run('newestEvent')
      const { newest } = NewestRow.parse(row)
      return EventRows.parse(await database.run('listEvents', [accountKey(account), after, newest, limit]))
    },

    async findEvent(account, id) {
      const [found] = EventRows.parse(await database.run('findEvent', [accountKey(account), id]))
      return found ?? null
    },

    async replayEvent(account, id, at) {
      const replayed = IdRows.parse(await database.run('replayEvent', [accountKey(account), id, at]))
      for (const row of replayed) changes.announce({ id: row.id, due_at: null, event_due_at: at })
      return replayed.length > 0
    },
  }

  /** Ends the leases until `leaseUntil` on events of these transactions, and makes the next event of each claimable. */
  async function release(transactionIds: string[], leaseUntil: number): Promise<Changed[]> {
    const released = ReleasedRows.parse(await database.run('release', [transactionIds, leaseUntil]))
    return released.map(({ id, due }) => ({ id, due_at: null, event_due_at: due }))
  }
}
