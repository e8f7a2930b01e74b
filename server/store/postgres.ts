/**
 * Stores transactions in a Postgres database, which any number of server processes may share.
 *
 * Each change is made by one atomic SQL statement. A change therefore needs only one round trip, and works behind any
 * connection pooler.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Change, Changed, NewTransaction, OutboxEvent, Store, Transaction } from '../store.ts'
import type { Changes } from './postgres/changes.ts'
import type { Database } from './postgres/database.ts'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { systemClock } from '../clock.ts'
import { silentLog } from '../log.ts'
import { PromptLimitError } from '../limits/prompts.ts'
import { systemRandomness } from '../randomness.ts'
import { createChanges } from './postgres/changes.ts'
import { createDatabase, DuplicateError } from './postgres/database.ts'
import { EventRow, IdRows, MerchantRow, MarksRow, Rows } from './rows.ts'
import { createReads } from './reads.ts'

/** The maximum number of deliveries that one statement makes due earlier. */
const HASTENED_AT_ONCE = 2_000

const Unclaimed = z.object({ leased: z.string(), leased_about: z.string(), id: z.null() })
const ClaimedEvents = z.array(z.union([EventRow, Unclaimed]))
const LeasedRows = z.array(z.object({ id: z.string(), about: z.string(), lease_until: z.number() }))
const ReleasedRows = z.array(z.object({ id: z.string(), due: z.number().nullable() }))

interface PostgresOptions {
  log?: Log
  clock?: Clock
}

/** Returns the store at a `postgres://` URL. The first method call connects to the database and migrates its tables. */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  const { log = silentLog, clock = systemClock } = options
  const database = createDatabase(url)
  const changes = createChanges({ database, clock, log, self: systemRandomness.token() })
  return {
    ...createReads(database.run, database.run),
    ...createOutbox(database, changes),
    ...createRetention(database),
    async insert(...transactions) {
      try {
        const hasPrompt = transactions.some(({ asked }) => asked)
        if (!hasPrompt) await database.run('insert', columnsOf(transactions))
        else if (!(await database.locked((run) => insertPrompts(run, transactions))))
          throw new PromptLimitError()
      } catch (error) {
        if (error instanceof DuplicateError) return false
        throw error
      }
      for (const { id, due_at } of transactions) changes.announce({ id, due_at, event_due_at: null })
      return true
    },

    find: createFind(database),

    async commit(id, version, change) {
      const { at, events = [] } = change
      const values = [id, version, ...changedColumns(change)]
      const added = [
        events.map((event) => event.id),
        events.map(({ about = '' }) => about),
        events.map(({ type }) => type),
        events.map(({ body }) => body),
      ]
      const [saved = null] = Rows.parse(
        events.length === 0
          ? await database.run('commit', values)
          : await database.run('commitEvents', [...values, ...added]),
      )
      const event_due_at = events.length > 0 ? at : null
      if (saved) changes.announce({ id, due_at: saved.due_at, event_due_at })
      return saved
    },

    async claimTransactions(account, now, leaseUntil, limit) {
      await database.checkOrigin()
      const values = [account, now, leaseUntil, limit]
      return Rows.parse(await database.run('claimTransactions', values))
    },

    async hastenQueries(account, now, limit) {
      return (await database.run('hastenQueries', [account, now, limit])).length
    },

    async bringForward(account, now, leaseUntil) {
      await database.run('bringForward', [account, now, leaseUntil])
    },

    // Read each time: the database may be recovered while servers run.
    async admit(account, numbers, isAdoption = false) {
      await database.run('admit', [account, numbers, isAdoption])
      const [row] = await database.run('findMerchant', [account])
      return MerchantRow.parse(row).numbers
    },
    marks: async () => MarksRow.parse((await database.run('marks'))[0]),
    watch: (changed, watched) => changes.watch(changed, watched),
    async ping() {
      await database.checkOrigin()
      await database.run('ping')
    },
    async close() {
      await changes.close()
      await database.close()
    },
  }
}

/** Returns a function that finds a row. Calls in one turn of the event loop share a statement, which starts after them. */
function createFind(database: Database): Store['find'] {
  const ids = new Set<string>()
  let reading: Promise<ReadonlyMap<string, Transaction>> | null = null
  return (id) => {
    ids.add(id)
    reading ??= nextTurn().then(readAll)
    return reading.then((rows) => rows.get(id) ?? null)
  }

  async function readAll(): Promise<ReadonlyMap<string, Transaction>> {
    const values = [[...ids]]
    ids.clear()
    reading = null
    return new Map(Rows.parse(await database.run('find', values)).map((row) => [row.id, row]))
  }
}

function createOutbox(database: Database, changes: Changes) {
  return {
    async claimEvents(account, queue, now, leaseUntil, limit) {
      await database.checkOrigin()
      const values = [account, now, leaseUntil, limit, queue === 'retries']
      const events: OutboxEvent[] = []
      for (const row of ClaimedEvents.parse(await database.run('claimEvents', values))) {
        if (row.id === null) await release(row.leased, row.leased_about, leaseUntil)
        else events.push(row)
      }
      return events
    },

    async finishEvent(id, delivery, at) {
      const { status = null, text = null } = delivery.answer ?? {}
      const finished =
        delivery.kind === 'retry'
          ? await database.run('retryEvent', [id, delivery.at, status, text])
          : await database.run('finishEvent', [id, at, delivery.kind, status, text])
      for (const { id: transactionId, about, lease_until } of LeasedRows.parse(finished)) {
        const released = await release(transactionId, about, lease_until)
        released.forEach((change) => changes.announce(change))
      }
    },

    async hastenEvents(account, now, { beyondMs, spreadMs, leaseMs, createdSince = 0 }) {
      const times = [now, now + beyondMs, spreadMs, now + leaseMs, createdSince]
      const values = [account, ...times, HASTENED_AT_ONCE]
      while ((await database.run('hastenEvents', values)).length === HASTENED_AT_ONCE);
    },

    async replayEvent(account, id, at) {
      const replayed = IdRows.parse(await database.run('replayEvent', [account, id, at]))
      for (const row of replayed) changes.announce({ id: row.id, due_at: null, event_due_at: at })
      return replayed.length > 0
    },
  } satisfies Partial<Store>

  /** Ends the lease until `leaseUntil` on events about a part of a transaction, and makes the next of them claimable. */
  async function release(transactionId: string, about: string, leaseUntil: number): Promise<Changed[]> {
    const released = ReleasedRows.parse(await database.run('release', [transactionId, about, leaseUntil]))
    return released.map(({ id, due }) => ({ id, due_at: null, event_due_at: due }))
  }
}

/** The row of a pruned transaction stays in the table as a tombstone, without the record. */
function createRetention(database: Database) {
  return {
    async prune(before, tombstones) {
      const columns = ['account', 'kind', 'reference', 'amount', 'digest'] as const
      const values = columns.map((column) => tombstones.map((tombstone) => tombstone[column]))
      return (await database.run('prune', [before, ...values])).length
    },

    async mask(id, version, masked) {
      if (masked === null) return (await database.run('markMasked', [id, version])).length > 0
      const { record, isComplete, history, events } = masked
      const saved = await database.run('mask', [
        id,
        version,
        JSON.stringify(record),
        isComplete,
        history.map(({ was }) => was),
        history.map(({ what }) => what),
        events.map((event) => event.id),
        events.map(({ about }) => about),
        events.map(({ body }) => body),
      ])
      return saved.length > 0
    },

    truncateLog: async () => true,
  } satisfies Partial<Store>
}

/** Inserts transactions and their prompts. Resolves with `false` if a prompt exceeds a limit. */
async function insertPrompts(run: Database['run'], transactions: NewTransaction[]): Promise<boolean> {
  for (const { account, asked, group, created_at } of transactions) {
    if (!asked) continue
    await run('forgetPrompts', [account, created_at])
    const prompt = [account, asked.phone, asked.network, group, created_at]
    if ((await run('addPrompt', prompt)).length === 0) return false
  }
  await run('insert', columnsOf(transactions))
  return true
}

/** Returns the values to insert, as one array per column. Each array holds one value per transaction. */
function columnsOf(transactions: NewTransaction[]): unknown[] {
  const columns = ['account', 'id', 'kind', 'reference', 'group', 'attempt', 'outcome'] as const
  return [
    transactions.map(({ alike, group }) => alike ?? group),
    ...columns.map((column) => transactions.map((row) => row[column])),
    transactions.map(({ record }) => JSON.stringify(record)),
    transactions.map(({ created_at }) => created_at),
    transactions.map(({ due_at }) => due_at),
    transactions.map(({ sent_at }) => sent_at),
    transactions.map(({ trace_id }) => trace_id),
  ]
}

/** Returns the values of a change, in the order of the parameters of `commit`. */
function changedColumns(change: Change): unknown[] {
  const { at, record, outcome, sent_at, due_at, asked_at, requested_at, failures, historyEntry } = change
  const isRenewal = record !== undefined || sent_at !== undefined
  return [
    isRenewal ? 1 : 0,
    record === undefined ? null : JSON.stringify(record),
    isRenewal ? at : null,
    due_at !== undefined,
    due_at,
    outcome,
    sent_at,
    asked_at,
    failures,
    at,
    historyEntry || null,
    requested_at,
  ]
}
