/** The store, in the SQL of `statements.ts`, on the driver of either database. */

import type { Clock } from '../work/clock.ts'
import type { Change, Changed, NewTransaction, Store } from './store.ts'
import type { Statements } from './statements.ts'
import type { Driver, Statement, Work } from './driver.ts'
import { statementsOf } from './statements.ts'
import { z } from 'zod'
import { HistoryEntry, OrderMark, Sealed, StoredEvent, Tombstone, Transaction } from './store.ts'
import { PromptLimitError } from '../limits/prompts.ts'
import * as row from './rows.ts'
import { createTransactionRows } from './rows.ts'
import { Undone } from './driver.ts'

/** The maximum number of deliveries that one statement makes due earlier. */
const MOST_AT_ONCE = 2_000

interface Parts {
  driver: Driver
  sql: Statements
  rows: ReturnType<typeof createTransactionRows>
  /** Called after a commit. */
  announce: (change: Changed) => void
  /** Runs a statement, and parses the rows that it returns. */
  ask: <Row>(schema: z.ZodType<Row>, ...statement: Statement) => Promise<Row[]>
}

export function createStore(driver: Driver, clock: Clock): Store {
  const sql = statementsOf(driver.dialect)
  const { watch, announce, close } = createWatchers(driver, clock)
  const ask: Parts['ask'] = async (schema, ...statement) =>
    (await driver.query(...statement)).map((found) => schema.parse(found))
  const parts = { driver, sql, announce, ask, rows: createTransactionRows(driver, sql.find) }
  return {
    ...createTransactions(parts),
    ...createReads(parts),
    ...createEvents(parts),
    ...createRetention(parts),

    setMerchant: (...merchant) => driver.transaction(() => setMerchant(sql, ...merchant)),
    // Read each time: a Postgres database may be recovered while servers run.
    marks: async () => row.MarksRow.parse((await driver.query(sql.marks))[0]),
    async markOrder(account, order, { issued_at, digest }) {
      const [marked] = await driver.query(sql.markOrder, account, order, issued_at, digest)
      return OrderMark.parse(marked ?? (await driver.query(sql.findOrderMark, account, order))[0])
    },
    watch,
    async ping() {
      await driver.expectUsable('ping')
      await driver.query(sql.ping)
    },
    async close() {
      close()
      await driver.close()
    },
  }
}

function createTransactions({ driver, sql, rows, announce, ask }: Parts) {
  return {
    async insert(...transactions) {
      await driver.expectUsable('insert')
      const [first, second] = transactions
      const isAlone = first && !second && !first.asked
      const added = isAlone
        ? await driver.query(...insertOf(sql, first))
        : await driver.transaction(() => insertAll(sql, transactions))
      if (added instanceof PromptLimitError) throw added
      if (added.length === 0) return false
      for (const transaction of transactions) {
        rows.keepNew(transaction)
        announce({ id: transaction.id, due_at: transaction.due_at, event_due_at: null })
      }
      return true
    },

    find: rows.find,

    async commit(id, version, change) {
      const { at, historyEntry, events = [] } = change
      const update: Statement = [sql.commit, id, version, ...columnsOf(change)]
      const [saved] = await (historyEntry || events.length > 0
        ? driver.transaction(() => commit(sql, update, id, change))
        : driver.query(...update))
      if (saved === undefined) return null
      const transaction = rows.keep(saved)
      announce({ id, due_at: transaction.due_at, event_due_at: events.length > 0 ? at : null })
      return transaction
    },

    async claimTransactions(account, now, leaseUntil, limit) {
      await driver.expectUsable('claim')
      return ask(Transaction, sql.claimTransactions, account, now, leaseUntil, limit)
    },

    async bringQueriesForward(account, now, limit) {
      const changed = await ask(row.IdRow, sql.bringQueriesForward, account, now, limit)
      for (const { id } of changed) rows.forget(id)
      return changed.length
    },

    async bringForward(account, now, leaseUntil) {
      await driver.query(sql.bringForward, account, now, leaseUntil)
      rows.forgetAll()
    },
  } satisfies Partial<Store>
}

function insertOf(sql: Statements, transaction: NewTransaction): Statement {
  const { id, kind, account, reference, group, alike = group, attempt, outcome } = transaction
  const { record, created_at, due_at, sent_at, trace_id, personal } = transaction
  const identity = [id, kind, account, reference, group, alike, attempt] as const
  const times = [created_at, due_at, sent_at] as const
  return [sql.insert, ...identity, outcome, JSON.stringify(record), ...times, trace_id, personal]
}

/** Inserts all transactions, or none if one exists already. Returns the rows of the last one. */
function* insertAll(
  sql: Statements,
  transactions: readonly NewTransaction[],
): Work<unknown[] | PromptLimitError> {
  let added: unknown[] = []
  for (const transaction of transactions) {
    const { asked, account, group, created_at } = transaction
    if (asked) {
      yield [sql.countPromptsAlone]
      yield [sql.forgetPrompts, account, created_at]
      const prompt = [account, asked.phone, asked.network, group, created_at] as const
      if ((yield [sql.addPrompt, ...prompt]).length === 0) return new Undone(new PromptLimitError())
    }
    added = yield insertOf(sql, transaction)
    if (added.length === 0) return new Undone(added)
  }
  return added
}

/** Returns the values of a change, in the order of the parameters of `commit`. */
function columnsOf({ at, record, outcome, due_at, ...change }: Change) {
  const { sent_at, asked_at, requested_at, failures, personal } = change
  const json = record === undefined ? null : JSON.stringify(record)
  // A new record or a new time of sending makes a new version.
  const version =
    json !== null || sent_at !== undefined ? ([1, json, at] as const) : ([0, null, null] as const)
  const due = [due_at === undefined ? 0 : 1, due_at] as const
  const sealed = [personal === undefined ? 0 : 1, personal] as const
  return [...version, ...due, outcome, sent_at, asked_at, requested_at, failures, ...sealed] as const
}

function* commit(sql: Statements, update: Statement, id: string, change: Change): Work<unknown[]> {
  const { at, historyEntry, events = [] } = change
  const saved = yield update
  if (saved.length === 0) return saved
  if (historyEntry) yield [sql.addHistory, id, at, historyEntry]
  for (const event of events)
    yield [sql.addEvent, id, event.about ?? '', event.id, event.type, event.body, at]
  return saved
}

function createReads({ driver: { query }, sql, ask }: Parts) {
  return {
    async findByReference(account, kind, reference) {
      const [found] = await ask(Transaction, sql.findByReference, account, kind, reference)
      return found ?? null
    },
    list: (...group) => ask(Transaction, sql.list, ...group),
    listAlike: (...alike) => ask(Transaction, sql.listAlike, ...alike),
    search(account, kind, { outcome, updatedSince = 0, after, limit }) {
      const values = [account, kind, updatedSince, after?.updated_at ?? -1, after?.id ?? '', limit] as const
      return outcome === undefined
        ? ask(Transaction, sql.search, ...values)
        : ask(Transaction, sql.searchOutcome, ...values, outcome)
    },
    history: (id) => ask(HistoryEntry, sql.history, id),
    async listEvents(account, after, limit) {
      const { newest } = row.NewestRow.parse((await query(sql.newestEvent))[0])
      return ask(StoredEvent, sql.listEvents, account, after, newest, limit)
    },
    findEvent: async (account, id) => (await ask(StoredEvent, sql.findEvent, account, id))[0] ?? null,
    async nextDue(account, queue) {
      const [next] = await (queue === 'transactions'
        ? ask(row.NextDueRow, sql.nextTransactionDue, account)
        : ask(row.NextDueRow, sql.nextEventDue, account, queue))
      return next?.due ?? null
    },
    async count(account, what, limit) {
      const [counted] = await (what.of === 'undelivered'
        ? query(sql.countUndelivered, limit)
        : what.of === 'outcome'
          ? query(sql.countOutcome, limit, account, what.kind, what.outcome)
          : what.queue === 'transactions'
            ? query(sql.countDueTransactions, limit, account, what.now)
            : query(sql.countDueEvents, limit, account, what.now, what.queue))
      return row.CountRow.parse(counted).count
    },
    listEnded: (account, before, after, limit) =>
      ask(Transaction, sql.listEnded, account, before, after?.updated_at ?? -1, after?.id ?? '', limit),
    listTombstones: (...group) => ask(Tombstone, sql.listTombstones, ...group),
    listEventsOf: (id) => ask(StoredEvent, sql.listEventsOf, id),
    async findMentioning(account, texts, after, limit) {
      const part = await ask(row.RecordRow, sql.listAll, account, after, limit)
      const found = part.filter(({ record }) => texts.some((text) => record.toLowerCase().includes(text)))
      const next = part.length < limit ? null : (part.at(-1)?.id ?? null)
      return { rows: z.array(Transaction).parse(found), next }
    },
  } satisfies Partial<Store>
}

function createEvents({ driver, sql, announce, ask }: Parts) {
  return {
    async claimEvents(account, queue, now, leaseUntil, limit) {
      await driver.expectUsable('claim')
      const claimed = await ask(StoredEvent, sql.claimEvents, account, queue, now, leaseUntil, limit)
      return claimed.toSorted((a, b) => a.sequence - b.sequence)
    },

    async finishEvent(event, delivery, at) {
      const { status, text } = delivery.answer ?? {}
      if (delivery.kind !== 'retry')
        return void (await reschedule([sql.finishEvent, event, at, delivery.kind, status, text], at))
      const [retried] = await ask(row.DueRow, sql.retryEvent, event, delivery.at, status, text)
      if (retried) announce({ id: retried.id, due_at: null, event_due_at: retried.due })
    },

    async bringEventsForward(account, now, { beyondMs, spreadMs, leaseMs, createdSince = 0 }) {
      const times = [now, now + beyondMs, spreadMs, now + leaseMs, createdSince] as const
      const bring = () => driver.query(sql.bringEventsForward, account, ...times, MOST_AT_ONCE)
      while ((await bring()).length === MOST_AT_ONCE);
    },

    replayEvent: (account, event, at) => reschedule([sql.replayEvent, event, account, at], at),
  } satisfies Partial<Store>

  /** Changes an event, and decides which is the next one about the same part. Resolves with whether there is the event. */
  async function reschedule(change: Statement, at: number): Promise<boolean> {
    const changed = await driver.transaction(() => changeEvent(sql, change, at))
    if (changed) announce(changed)
    return changed !== null
  }
}

function* changeEvent(sql: Statements, change: Statement, at: number): Work<Changed | null> {
  const [changed] = yield change
  if (changed === undefined) return null
  const { id, about } = row.PartRow.parse(changed)
  const promoted = z.array(row.PromotedRow).parse(yield [sql.promoteEvent, id, about, at])
  const next = promoted.find(({ queue }) => queue !== null)
  return { id, due_at: null, event_due_at: next?.due ?? null }
}

function createRetention({ driver, sql, rows, ask }: Parts) {
  return {
    async prune(before, tombstones) {
      const pruned = await driver.transaction(() => pruneAll(sql, before, tombstones))
      for (const id of pruned) rows.forget(id)
      return pruned.length
    },
    async erase(id, version, erased, parts) {
      const result = await driver.transaction(() => eraseParts(sql, id, version, erased, parts))
      rows.forget(id)
      return result
    },
    async erasePersonal(account, before, limit) {
      const erased = await driver.transaction(() => eraseOld(sql, account, before, limit))
      for (const id of erased) rows.forget(id)
      return erased.length
    },
    listSealed: (account, keyId, limit) => ask(Sealed, sql.listSealed, account, keyId, limit),
    async reseal({ id, personal }, resealed) {
      await driver.query(sql.reseal, id, personal, resealed)
      rows.forget(id)
    },
    truncateLog: () => driver.truncateLog(),
  } satisfies Partial<Store>
}

function* pruneAll(sql: Statements, before: number, tombstones: readonly Tombstone[]): Work<string[]> {
  const pruned: string[] = []
  for (const { account, kind, reference, amount, digest } of tombstones) {
    const [found] = yield [sql.prune, account, kind, reference, before, amount, digest]
    if (found === undefined) continue
    const { id } = row.IdRow.parse(found)
    yield [sql.deleteHistory, id]
    yield [sql.deleteEvents, id, null]
    pruned.push(id)
  }
  return pruned
}

function* eraseParts(
  sql: Statements,
  ...[id, version, { record, personal }, parts]: Parameters<Store['erase']>
): Work<'erased' | 'changed' | 'undelivered'> {
  if ((yield [sql.erase, id, version, JSON.stringify(record), personal]).length === 0) return 'changed'
  for (const part of parts ?? [null]) {
    if ((yield [sql.findUnfinished, id, part]).length > 0) return new Undone('undelivered')
    yield [sql.deleteHistory, id]
    yield [sql.deleteEvents, id, part]
  }
  return 'erased'
}

function* eraseOld(
  sql: Statements,
  ...[account, before, limit]: Parameters<Store['erasePersonal']>
): Work<string[]> {
  const old = z.array(row.IdRow).parse(yield [sql.listPersonal, account, before, limit])
  for (const { id } of old) {
    yield [sql.erasePersonal, id]
    yield [sql.deleteHistory, id]
    yield [sql.deleteEvents, id, null]
  }
  return old.map(({ id }) => id)
}

function* setMerchant(
  sql: Statements,
  ...[account, numbers, another = 'refuse']: Parameters<Store['setMerchant']>
): Work<string[]> {
  yield [sql.addMerchant, account]
  const [found] = yield [sql.lockMerchant, account]
  const known = row.MerchantRow.parse(found).numbers
  const isSame = known.some((number) => numbers.includes(number))
  if (known.length > 0 && !isSame && another === 'refuse') return known
  const all = isSame ? [...new Set([...known, ...numbers])] : [...numbers]
  yield [sql.saveMerchant, account, JSON.stringify(all)]
  return all
}

type Watcher = (change: Changed) => void

/** The pause between two looks for changes by other processes, in milliseconds. */
const PAUSE_MS = 500

function createWatchers({ findForeign }: Driver, clock: Clock) {
  /** The watchers, each with a function that returns the ids of the transactions that it watches. */
  const watchers = new Map<Watcher, () => string[]>()
  let looking: AbortController | null = null
  return { watch, announce, close }

  function watch(changed: Watcher, watched: () => string[] = () => []): () => void {
    watchers.set(changed, watched)
    if (!looking && findForeign) void look(findForeign, (looking = new AbortController()).signal)
    return () => {
      watchers.delete(changed)
      if (watchers.size === 0) close()
    }
  }

  function announce(change: Changed): void {
    for (const changed of watchers.keys()) changed(change)
  }

  function close(): void {
    watchers.clear()
    looking?.abort()
    looking = null
  }

  async function look(find: NonNullable<Driver['findForeign']>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const watched = new Set([...watchers.values()].flatMap((ids) => ids()))
      // While the store cannot be used, whoever uses it reports the error.
      const changes = await find([...watched]).catch(() => [])
      if (!signal.aborted) changes.forEach(announce)
      await clock.sleep(PAUSE_MS, signal).catch(() => {})
    }
  }
}
