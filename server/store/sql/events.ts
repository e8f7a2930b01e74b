/** Stores events, and claims those that are due for delivery. */

import { z } from 'zod'

import { StoredEvent } from '../events.ts'
import { ACCOUNT } from './fragments.ts'

import type { Dialect } from '../dialect.ts'
import type { Statement, Work } from '../driver.ts'
import type { EventStore, NewEvent } from '../events.ts'
import type { Changed } from '../transactions.ts'
import type { Deps } from './deps.ts'

export type EventStatements = ReturnType<typeof eventStatements>

/** The maximum number of deliveries that one statement makes due earlier. */
const MAX_AT_ONCE = 2_000

/** Spreads events over a time span: consecutive numbers, times a large prime, differ widely modulo the span. */
const SPREADING_PRIME = 7_919

/**
 * Events need no table of their own for what is due: `queue` names the queue of the oldest unfinished event of each
 * transaction and `about`, and of no other. A commit and a delivery of one transaction decide one after the other which
 * event this is, because both lock the row of the transaction.
 */
export function eventStatements({ schema, lock, lockFree, inOrder, afterAdding }: Dialect) {
  const transactions = `${schema}transactions`
  const events = `${schema}events`
  const columns = `sequence, id, transaction_id, type, about, body, created_at, failures, finish, due_at, last_status,
    last_answer, (SELECT trace_id FROM ${transactions} t WHERE t.id = transaction_id) AS trace_id`
  const unfinished = 'transaction_id = $1 AND about = $2 AND finished_at IS NULL'
  /**
   * Changes the event $1, and locks its transaction. Takes the event out of its queue: `promoteEvent` must follow,
   * which decides which event about the same part is in a queue.
   */
  const change = (set: string, condition: string) => `
    WITH owner AS MATERIALIZED (
      SELECT id FROM ${transactions} WHERE id = (SELECT transaction_id FROM ${events} WHERE id = $1) ${lock})
    UPDATE ${events} SET queue = NULL, lease_until = 0, ${set}
    WHERE id = $1 AND ${condition} AND transaction_id IN (SELECT id FROM owner) RETURNING transaction_id AS id, about`
  return {
    // Postgres does not derive the type of a parameter in the list of a SELECT from the column that it is inserted
    // into.
    addEvent: `
      INSERT INTO ${events} (transaction_id, account, about, id, type, body, created_at, due_at, queue)
      SELECT t.id, t.account, CAST($2 AS text), CAST($3 AS text), CAST($4 AS text), CAST($5 AS text),
        CAST($6 AS bigint), CAST($6 AS bigint),
        CASE WHEN EXISTS (SELECT 1 FROM ${events} WHERE ${unfinished}) THEN NULL ELSE 'events' END
      FROM ${transactions} t CROSS JOIN ${inOrder} AS locked WHERE t.id = $1`,
    // Those that became due last come first: a backlog delays no new event.
    claimEvents: `
      WITH due AS MATERIALIZED (
        SELECT sequence FROM ${events} WHERE ${ACCOUNT} AND queue = $2 AND due_at <= $3
        ORDER BY due_at DESC LIMIT $5 ${lockFree})
      UPDATE ${events} SET due_at = $4, lease_until = $4 WHERE sequence IN (SELECT sequence FROM due)
      RETURNING ${columns}`,
    retryEvent: `
      UPDATE ${events} SET failures = failures + 1, due_at = $2, lease_until = 0, last_status = $3, last_answer = $4,
        queue = CASE WHEN queue IS NULL THEN NULL ELSE 'retries' END
      WHERE id = $1 AND finished_at IS NULL RETURNING transaction_id AS id, due_at AS due`,
    finishEvent: change(
      'finished_at = $2, finish = $3, last_status = $4, last_answer = $5',
      'finished_at IS NULL',
    ),
    replayEvent: change('finished_at = NULL, finish = NULL, failures = 0, due_at = $3', 'account = $2'),
    // An event that has waited for others is due now, also if the clock was ahead when it was added.
    promoteEvent: `
      UPDATE ${events} SET due_at = CASE WHEN queue IS NULL AND due_at > $3 THEN $3 ELSE due_at END,
        queue = CASE WHEN sequence > oldest THEN NULL WHEN failures > 0 THEN 'retries' ELSE 'events' END
      FROM (SELECT min(sequence) AS oldest FROM ${events} WHERE ${unfinished}) AS part
      WHERE ${unfinished} AND (queue IS NOT NULL OR sequence = oldest) RETURNING queue, due_at AS due`,
    // The time is $2. An event whose lease ends between $2 and $5 is left alone: its delivery may be running. An event
    // with a longer lease was claimed before the clock jumped back, and becomes due at $5. The others become due from $2
    // on, spread evenly over the time $4. If $6 is not null, only events that have failed and were created since $6 are
    // changed.
    bringEventsForward: `
      WITH late AS MATERIALIZED (
        SELECT sequence FROM ${events} WHERE ${ACCOUNT} AND queue IN ('events', 'retries') AND due_at > $3
          AND (lease_until <= $2 OR lease_until > $5) AND (CAST($6 AS bigint) IS NULL OR (failures > 0 AND created_at >= $6))
        LIMIT $7 ${lockFree})
      UPDATE ${events} SET lease_until = CASE WHEN lease_until > $2 THEN $5 ELSE 0 END,
        due_at = CASE WHEN lease_until > $2 THEN $5 ELSE $2 + sequence * ${SPREADING_PRIME} % $4 END
      WHERE sequence IN (SELECT sequence FROM late) RETURNING sequence`,
    newestEvent: afterAdding(`SELECT coalesce(max(sequence), 0) AS newest FROM ${events}`),
    listEvents: `
      SELECT ${columns} FROM ${events} WHERE ${ACCOUNT} AND sequence > $2 AND sequence <= $3 ORDER BY sequence LIMIT $4`,
    findEvent: `SELECT ${columns} FROM ${events} WHERE ${ACCOUNT} AND id = $2`,
    listEventsOf: `SELECT ${columns} FROM ${events} WHERE transaction_id = $1 ORDER BY sequence`,
  }
}

/** A part of a transaction that events are about. */
const PartRow = z.object({ id: z.string(), about: z.string() })
/** An unfinished event of a part. Only the oldest one is in a queue. */
const PromotedRow = z.object({ queue: z.string().nullable(), due: z.int() })
const RetriedRow = z.object({ id: z.string(), due: z.int() })
const NewestRow = z.object({ newest: z.int() })

export function createEvents({ driver, sql, ask, askOne, announce }: Deps<EventStatements>): EventStore {
  return {
    async claimEvents(account, queue, now, leaseUntil, limit) {
      await driver.expectUsable('claim')
      const claimed = await ask(StoredEvent, sql.claimEvents, account, queue, now, leaseUntil, limit)
      return claimed.toSorted((one, other) => one.sequence - other.sequence)
    },

    async finishEvent(event, delivery, at) {
      const { status = null, text = null } = delivery.answer ?? {}
      if (delivery.kind !== 'retry') {
        await reschedule([sql.finishEvent, event, at, delivery.kind, status, text], at)
        return
      }

      const retried = await askOne(RetriedRow, sql.retryEvent, event, delivery.at, status, text)
      if (retried) {
        announce({ id: retried.id, due_at: null, event_due_at: retried.due })
      }
    },

    async bringEventsForward(account, now, { beyondMs, spreadMs, leaseMs, createdSince }) {
      const times = [now, now + beyondMs, spreadMs, now + leaseMs, createdSince] as const
      let brought: unknown[]
      do {
        brought = await driver.query(sql.bringEventsForward, account, ...times, MAX_AT_ONCE)
      } while (brought.length === MAX_AT_ONCE)
    },

    replayEvent: (account, event, at) => reschedule([sql.replayEvent, event, account, at], at),

    async listEvents(account, after, limit) {
      const [row] = await driver.query(sql.newestEvent)
      const { newest } = NewestRow.parse(row)
      return ask(StoredEvent, sql.listEvents, account, after, newest, limit)
    },

    findEvent: (account, id) => askOne(StoredEvent, sql.findEvent, account, id),
    listEventsOf: (id) => ask(StoredEvent, sql.listEventsOf, id),
  }

  /** Changes an event, and decides which event about the same part is next. Resolves with whether the event exists. */
  async function reschedule(change: Statement, at: number): Promise<boolean> {
    const changed = await driver.transaction(() => changeEvent(sql, change, at))
    if (changed) {
      announce(changed)
    }
    return changed !== null
  }
}

function* changeEvent(sql: EventStatements, change: Statement, at: number): Work<Changed | null> {
  const [changed] = yield change
  if (changed === undefined) {
    return null
  }

  const { id, about } = PartRow.parse(changed)
  const promoted = z.array(PromotedRow).parse(yield [sql.promoteEvent, id, about, at])
  const next = promoted.find(({ queue }) => queue !== null)
  return { id, due_at: null, event_due_at: next?.due ?? null }
}

/** Adds the events of a commit. */
export function* addEvents(
  sql: EventStatements,
  transactionId: string,
  events: readonly NewEvent[],
  at: number,
): Work<void> {
  for (const { id, about = '', type, body } of events) {
    yield [sql.addEvent, transactionId, about, id, type, body, at]
  }
}
