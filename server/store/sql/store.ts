/**
 * Implements the store on either database: runs the statements of `statements.ts` on its driver, caches transactions,
 * and notifies watchers.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'

import { referenceKey } from '../../contract/fields.ts'
import { parseJson } from '../../contract/parse.ts'
import { PromptLimitError } from '../../rate-limits/prompts.ts'
import { CountedElsewhereError } from '../errors.ts'
import { StoredEvent } from '../events.ts'
import { Press, StoredLink } from '../links.ts'
import { StoredNotice } from '../notices.ts'
import { OrderMark } from '../order-marks.ts'
import { HistoryEntry, insertedRow, Transaction } from '../transactions.ts'
import { countPayments, createMovements, putMovements } from './movements.ts'
import { createErasure, RecordRow } from './retention.ts'
import { cursorOf, listByIdsOf, statementsOf } from './statements.ts'

import type { Clock } from '../../work/clock.ts'
import type { Driver, Statement, Work } from '../driver.ts'
import type { CountedElsewhere } from '../errors.ts'
import type { NewPress } from '../links.ts'
import type { MerchantAccount } from '../merchant-account.ts'
import type { Store } from '../store.ts'
import type { Change, Changed, NewTransaction } from '../transactions.ts'
import type { Statements } from './statements.ts'

const text = z.string()
const whole = z.int()
/** A part of a transaction that events are about. */
const PartRow = z.object({ id: text, about: text })
/** An unfinished event of a part. Only the oldest one is in a queue. */
const PromotedRow = z.object({ queue: text.nullable(), due: whole })
/** Each line of a history is an entry. */
const HistoryRow = z.object({
  history: text
    .transform((lines) => lines.split('\n').filter(Boolean).map(parseJson))
    .pipe(z.array(HistoryEntry)),
})
const IdRow = z.object({ id: text })
const DueRow = z.object({ id: text, due: whole })
const NextDueRow = z.object({ due: whole.nullable() })
const CountRow = z.object({ count: whole })
const NewestRow = z.object({ newest: whole })
const MerchantRow = z.object({ numbers: text.transform(parseJson).pipe(z.array(text)) })
const MarksRow = z.object({ store: whole, recovered: whole.nullable(), compared: whole.nullable() })

/** The maximum number of deliveries that one statement makes due earlier. */
const MAX_AT_ONCE = 2_000

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
    (await driver.query(...statement)).map((row) => schema.parse(row))
  const parts = { driver, sql, announce, ask, rows: createTransactionRows(driver, sql.find) }
  return {
    ...createTransactions(parts),
    ...createReads(parts),
    ...createEvents(parts),
    ...createNotices(parts),
    ...createErasure(parts),
    ...createLinks(parts),
    ...createMovements(sql, ask),

    setMerchant: (...merchant) => driver.transaction(() => setMerchant(sql, ...merchant)),
    // Read each time: a Postgres database may be recovered while servers run.
    saveCompared: async (now) => void (await driver.query(sql.saveCompared, now)),
    marks: async () => MarksRow.parse((await driver.query(sql.marks))[0]),
    async markOrder(account, order, { issued_at, digest }) {
      const key = referenceKey(order)
      const [marked] = await driver.query(sql.markOrder, account, key, issued_at, digest)
      return OrderMark.parse(marked ?? (await driver.query(sql.findOrderMark, account, key))[0])
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

function createTransactions({ driver, sql, rows, announce }: Parts) {
  return {
    async insert(...transactions) {
      await driver.expectUsable('insert')
      const [first, ...others] = transactions
      // One statement is atomic, and takes less time than a transaction.
      const result =
        first && others.length === 0 && !first.prompt
          ? insertResult(await driver.query(...insertOf(sql, first)))
          : await driver.transaction(() => insertAll(sql, transactions))
      if (result === 'limited') {
        throw new PromptLimitError()
      }
      if (result === 'exists') {
        return false
      }

      for (const transaction of transactions) {
        rows.keepNew(transaction)
        announce({ id: transaction.id, due_at: transaction.due_at, event_due_at: null })
      }

      return true
    },

    async countPrompt(transaction) {
      if (transaction.prompt && !(await driver.transaction(() => addPrompt(sql, transaction)))) {
        throw new PromptLimitError()
      }
    },

    find: rows.find,

    async commit(id, revision, change) {
      const { at, events = [], notices = [], movements } = change
      const update: Statement = [sql.commit, id, revision, ...columnsOf(change)]
      const isAlone = events.length === 0 && notices.length === 0 && !movements
      const { rows: changed, elsewhere } = isAlone
        ? committed(await driver.query(...update))
        : await driver.transaction(() => commit(sql, update, id, change))
      if (elsewhere.size > 0) {
        throw new CountedElsewhereError(elsewhere)
      }

      const [saved] = changed
      if (saved === undefined) {
        // Whoever tries again reads the row as it is stored.
        rows.forget(id)
        return null
      }

      const transaction = rows.keep(saved)
      announce({ id, due_at: transaction.due_at, event_due_at: events.length > 0 ? at : null })
      return transaction
    },

    async claimTransactions(account, now, leaseUntil, limit) {
      await driver.expectUsable('claim')
      return (await driver.query(sql.claimTransactions, account, now, leaseUntil, limit)).map(rows.keep)
    },

    async requestQuery(id, revision, at) {
      const requested = await driver.query(sql.requestQuery, id, revision, at)
      if (requested.length === 0) {
        return false
      }

      rows.forget(id)
      announce({ id, due_at: at, event_due_at: null })
      return true
    },

    async bringQueriesForward(account, now, limit) {
      const brought = await driver.query(sql.bringQueriesForward, account, now, limit)
      rows.forgetAll()
      return brought.length
    },

    async correctFutureTimes(account, now, leaseUntil) {
      await driver.query(sql.correctFutureTimes, account, now, leaseUntil)
      rows.forgetAll()
    },
  } satisfies Partial<Store>
}

function insertOf(sql: Statements, transaction: NewTransaction): Statement {
  const { id, kind, account, reference, group, attempt, outcome } = transaction
  const { record, created_at, due_at, sent_at, trace_id, personal } = transaction
  const references = [reference, referenceKey(reference), group, referenceKey(group)] as const
  const identity = [id, kind, account, ...references, attempt] as const
  const times = [created_at, due_at, sent_at] as const
  return [sql.insert, ...identity, outcome, JSON.stringify(record), ...times, trace_id, personal]
}

/** `exists`: a reference or an attempt is taken. `limited`: a prompt exceeds a limit. */
type InsertResult = 'inserted' | 'exists' | 'limited'

function insertResult(rows: unknown[]): InsertResult {
  return rows.length > 0 ? 'inserted' : 'exists'
}

function* insertAll(sql: Statements, transactions: readonly NewTransaction[]): Work<InsertResult> {
  for (const transaction of transactions) {
    const isAdmitted = yield* addPrompt(sql, transaction)
    const result = isAdmitted ? insertResult(yield insertOf(sql, transaction)) : 'limited'
    if (result === 'inserted') {
      continue
    }

    yield [sql.undo]
    return result
  }

  return 'inserted'
}

/** Adds the prompt that the transaction sends, if there is one. Returns `false` if it exceeds a limit. */
function* addPrompt(sql: Statements, { prompt, account, group, created_at }: NewTransaction): Work<boolean> {
  if (!prompt) {
    return true
  }

  yield [sql.lockPrompts]
  yield [sql.forgetPrompts, account, created_at]
  const order = referenceKey(group)
  const added = yield [sql.addPrompt, account, prompt.phone, prompt.network, order, created_at]
  return added.length > 0
}

/** Returns the values of a change, in the order of the parameters of `commit`. */
function columnsOf({ at, record, outcome, due_at, historyEntry, ...change }: Change) {
  const { isUnseen, sent_at, asked_at, requested_at, requested_revision, failures, personal } = change
  const json = record === undefined ? null : JSON.stringify(record)
  // A new record or a new time of sending makes a new version, if clients see anything of it.
  const isNew = (json !== null || sent_at !== undefined) && isUnseen !== true
  const version = isNew ? ([1, json, at] as const) : ([0, json, null] as const)
  // These four may become NULL. The numbers 0 and 1 say whether they change.
  const due = [due_at === undefined ? 0 : 1, due_at] as const
  const sent = [sent_at === undefined ? 0 : 1, sent_at] as const
  const requested = [requested_revision === undefined ? 0 : 1, requested_revision] as const
  const sealed = [personal === undefined ? 0 : 1, personal] as const
  const times = [asked_at, requested_at] as const
  const history = historyEntry ? `${JSON.stringify({ at, what: historyEntry } satisfies HistoryEntry)}\n` : ''
  return [...version, ...due, outcome, ...sent, ...times, ...requested, failures, ...sealed, history] as const
}

/** What a commit has changed: one row or none. `elsewhere` are the payments because of which it was undone. */
interface Committed {
  rows: unknown[]
  elsewhere: CountedElsewhere
}

function committed(rows: unknown[]): Committed {
  return { rows, elsewhere: new Map() }
}

function* commit(sql: Statements, update: Statement, id: string, change: Change): Work<Committed> {
  const { at, events = [], notices = [], movements, open_since = 0 } = change
  const saved = yield update
  if (saved.length === 0) {
    return committed(saved)
  }

  for (const event of events) {
    yield [sql.addEvent, id, event.about ?? '', event.id, event.type, event.body, at]
  }

  for (const notice of notices) {
    const { way, reader, type, came, went, held } = notice
    yield [sql.addNotice, id, notice.id, way, reader, type, came, went, held, at]
  }

  if (movements) {
    const elsewhere = yield* countPayments(sql, id, movements)
    if (elsewhere.size > 0) {
      yield [sql.undo]
      return { rows: [], elsewhere }
    }

    yield* putMovements(sql, id, movements, at, open_since)
  }

  return committed(saved)
}

function createReads({ driver: { query }, sql, ask }: Parts) {
  return {
    async findByReference(account, kind, reference) {
      const [found] = await ask(Transaction, sql.findByReference, account, kind, referenceKey(reference))
      return found ?? null
    },
    list: (account, kind, group) => ask(Transaction, sql.list, account, kind, referenceKey(group)),
    search(account, kind, { outcome, updatedSince = 0, after, limit }) {
      const values = [account, kind, updatedSince, ...cursorOf(after), limit] as const
      return outcome === undefined
        ? ask(Transaction, sql.search, ...values)
        : ask(Transaction, sql.searchOutcome, ...values, outcome)
    },
    listScheduled: (...args) => ask(Transaction, sql.listScheduled, ...args),
    history: async (id) => (await ask(HistoryRow, sql.history, id))[0]?.history ?? [],
    async listEvents(account, after, limit) {
      const { newest } = NewestRow.parse((await query(sql.newestEvent))[0])
      return ask(StoredEvent, sql.listEvents, account, after, newest, limit)
    },
    findEvent: async (...args) => (await ask(StoredEvent, sql.findEvent, ...args))[0] ?? null,
    async nextDue(account, queue) {
      const [next] = await (queue === 'transactions'
        ? ask(NextDueRow, sql.nextTransactionDue, account)
        : ask(NextDueRow, sql.nextEventDue, account, queue))
      return next?.due ?? null
    },
    async count(account, what, limit) {
      const [counted] = await query(...countOf(sql, account, what, limit))
      return CountRow.parse(counted).count
    },
    listEventsOf: (id) => ask(StoredEvent, sql.listEventsOf, id),
  } satisfies Partial<Store>
}

function countOf(sql: Statements, ...[account, what, limit]: Parameters<Store['count']>): Statement {
  if (what.of === 'undelivered') {
    return [sql.countUndelivered, limit]
  }
  if (what.of === 'outcome') {
    return [sql.countOutcome, limit, account, what.kind, what.outcome]
  }
  if (what.queue === 'transactions') {
    return [sql.countDueTransactions, limit, account, what.now]
  }
  return [sql.countDueEvents, limit, account, what.now, what.queue]
}

function createLinks({ driver, sql, ask }: Parts) {
  return {
    async insertLink(account, { id, terms, created_at }) {
      await driver.expectUsable('insert')
      const [row] = await driver.query(sql.insertLink, account, id, JSON.stringify(terms), created_at)
      return StoredLink.parse(row)
    },
    findLink: async (...args) => (await ask(StoredLink, sql.findLink, ...args))[0] ?? null,
    listLinks: (...args) => ask(StoredLink, sql.listLinks, ...args),
    closeLink: async (...args) => (await ask(StoredLink, sql.closeLink, ...args))[0] ?? null,
    async press(account, press) {
      await driver.expectUsable('insert')
      return driver.transaction(() => addPress(sql, account, press))
    },
    async findPress(account, order) {
      const [found] = await ask(Press, sql.findPress, account, referenceKey(order))
      return found ?? null
    },
    forgetPresses: async (account, now) => void (await driver.query(sql.forgetPresses, account, now)),
  } satisfies Partial<Store>
}

function* addPress(
  sql: Statements,
  account: MerchantAccount,
  { order, link, network, at, choice, personal }: NewPress,
): Work<boolean> {
  yield [sql.lockPrompts]
  yield [sql.forgetPresses, account, at]
  const key = referenceKey(order)
  const pressed = yield [sql.findPress, account, key]
  if (pressed.length > 0) {
    return true
  }

  const added = yield [sql.addPress, account, key, link, network, at, JSON.stringify(choice), personal]
  return added.length > 0
}

function createEvents({ driver, sql, announce, ask }: Parts) {
  return {
    async claimEvents(account, queue, now, leaseUntil, limit) {
      await driver.expectUsable('claim')
      const claimed = await ask(StoredEvent, sql.claimEvents, account, queue, now, leaseUntil, limit)
      return claimed.toSorted((a, b) => a.sequence - b.sequence)
    },

    async finishEvent(event, delivery, at) {
      const answer = [delivery.answer?.status, delivery.answer?.text] as const
      if (delivery.kind !== 'retry') {
        return void (await reschedule([sql.finishEvent, event, at, delivery.kind, ...answer], at))
      }

      const [retried] = await ask(DueRow, sql.retryEvent, event, delivery.at, ...answer)
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
  } satisfies Partial<Store>

  /** Changes an event, and decides which event about the same part is next. Resolves with whether the event exists. */
  async function reschedule(change: Statement, at: number): Promise<boolean> {
    const changed = await driver.transaction(() => changeEvent(sql, change, at))
    if (changed) {
      announce(changed)
    }
    return changed !== null
  }
}

function createNotices({ driver, sql, ask }: Parts) {
  return {
    async claimNotices(account, way, now, leaseUntil, limit) {
      await driver.expectUsable('claim')
      return ask(StoredNotice, sql.claimNotices, account, way, now, leaseUntil, limit)
    },
    async retryNotice(id, at, isUnanswered) {
      await driver.query(sql.retryNotice, id, at, isUnanswered ? 1 : 0)
    },
    async finishNotice(id, finish) {
      await driver.query(sql.finishNotice, id, finish)
    },
    listNoticesOf: (id) => ask(StoredNotice, sql.listNoticesOf, id),
    nextNoticeDue: async (account, way) =>
      (await ask(NextDueRow, sql.nextNoticeDue, account, way))[0]?.due ?? null,
    async limitNotices(account, way, latest) {
      await driver.query(sql.limitNotices, account, way, latest)
    },
  } satisfies Partial<Store>
}

function* changeEvent(sql: Statements, change: Statement, at: number): Work<Changed | null> {
  const [changed] = yield change
  if (changed === undefined) {
    return null
  }

  const { id, about } = PartRow.parse(changed)
  const promoted = z.array(PromotedRow).parse(yield [sql.promoteEvent, id, about, at])
  const next = promoted.find(({ queue }) => queue !== null)
  return { id, due_at: null, event_due_at: next?.due ?? null }
}

function* setMerchant(
  sql: Statements,
  ...[account, numbers, another = 'refuse']: Parameters<Store['setMerchant']>
): Work<string[]> {
  yield [sql.addMerchant, account]
  const [stored] = yield [sql.lockMerchant, account]
  const before = MerchantRow.parse(stored).numbers
  const isSame = before.some((number) => numbers.includes(number))
  if (before.length > 0 && !isSame && another === 'refuse') {
    return before
  }

  const all = isSame ? [...new Set([...before, ...numbers])] : [...numbers]
  yield [sql.saveMerchant, account, JSON.stringify(all)]
  return all
}

/** The maximum number of cached transactions. */
const MAX_ROWS = 2_000
/** The maximum length of the record of a cached transaction, in characters. */
const MAX_RECORD_CHARACTERS = 16_000

/**
 * On SQLite, caches recently used transactions, so that an unchanged row is not parsed again. On Postgres, reads every
 * transaction, because other processes may change it.
 */
function createTransactionRows({ query, foreignChanges, dialect }: Driver, findStatement: string) {
  const listStatement = listByIdsOf(dialect)
  const kept = new Map<string, Transaction>()
  let gathered: ReturnType<typeof gather> | null = null
  let lastChanges: number | null = null
  let isChecked = false
  return {
    find: foreignChanges ? async (id: string) => findKept(id, foreignChanges) ?? read(id) : readWithOthers,
    keep,
    /** Keeps a transaction as it was inserted, so that its first commit need not read it. */
    keepNew: (row: NewTransaction) => keepRow(insertedRow(row), JSON.stringify(row.record).length),
    forget: (id: string) => kept.delete(id),
    forgetAll: () => kept.clear(),
  }

  /** Looks for changes by others once in a turn of the event loop, because this takes longer than finding a row. */
  function findKept(id: string, changes: () => number): Transaction | undefined {
    if (!isChecked) {
      const current = changes()
      if (current !== lastChanges) {
        kept.clear()
      }

      lastChanges = current
      isChecked = true
      setImmediate(() => (isChecked = false))
    }
    return kept.get(id)
  }

  async function read(id: string): Promise<Transaction | null> {
    const [row] = await query(findStatement, id)
    return keepFound(row)
  }

  /**
   * The reads of one turn of the event loop share a statement, which starts in the next turn. A row that cannot be read
   * fails alone.
   */
  function readWithOthers(id: string): Promise<Transaction | null> {
    const { reads, found } = (gathered ??= gather())
    const read = reads.get(id) ?? found.then((rows) => keepFound(rows.get(id)))
    reads.set(id, read)
    return read
  }

  function gather() {
    const reads = new Map<string, Promise<Transaction | null>>()
    const found = nextTurn().then(async () => {
      gathered = null
      const ids = [...reads.keys()]
      const rows = await (ids.length === 1
        ? query(findStatement, ids[0])
        : query(listStatement, JSON.stringify(ids)))
      return new Map(rows.map((row) => [IdRow.parse(row).id, row]))
    })
    return { reads, found }
  }

  function keepFound(row: unknown): Transaction | null {
    return row === undefined ? null : keep(row)
  }

  /** Returns the transaction of a row, and keeps it. */
  function keep(row: unknown): Transaction {
    const transaction = Transaction.parse(row)
    keepRow(transaction, RecordRow.parse(row).record.length)
    return transaction
  }

  /** A full cache drops its oldest row. */
  function keepRow(transaction: Transaction, recordLength: number): void {
    const { id } = transaction
    if (!foreignChanges) {
      return
    }

    kept.delete(id)
    if (recordLength > MAX_RECORD_CHARACTERS) {
      return
    }

    kept.set(id, transaction)
    const [oldest = id] = kept.keys()
    if (kept.size > MAX_ROWS) {
      kept.delete(oldest)
    }
  }
}

type Watcher = (change: Changed) => void

/** The pause between two searches for changes by other processes, in milliseconds. */
const PAUSE_MS = 500

function createWatchers({ findForeign }: Driver, clock: Clock) {
  /** The watchers, each with a function that returns the ids of the transactions that it watches. */
  const watchers = new Map<Watcher, () => string[]>()
  let polling: AbortController | null = null
  return { watch, announce, close }

  function watch(changed: Watcher, watched: () => string[] = () => []): () => void {
    watchers.set(changed, watched)
    if (!polling && findForeign) {
      polling = new AbortController()
      void poll(findForeign, polling.signal)
    }

    return () => {
      watchers.delete(changed)
      if (watchers.size === 0) {
        close()
      }
    }
  }

  function announce(change: Changed): void {
    for (const changed of watchers.keys()) {
      changed(change)
    }
  }

  function close(): void {
    watchers.clear()
    polling?.abort()
    polling = null
  }

  async function poll(find: NonNullable<Driver['findForeign']>, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const watched = new Set([...watchers.values()].flatMap((ids) => ids()))
      // Nothing is lost with an error: polling goes on, and the other callers of the store report theirs.
      const changes = await find([...watched]).catch(() => [])
      if (!signal.aborted) {
        for (const change of changes) {
          announce(change)
        }
      }

      await clock.sleep(PAUSE_MS, signal).catch(() => {})
    }
  }
}
