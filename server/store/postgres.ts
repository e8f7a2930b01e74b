/**
 * Stores transactions in a Postgres database, which any number of server processes may share.
 *
 * Each change is made by one atomic SQL statement. A change therefore needs only one round trip, and works behind any
 * connection pooler. Changes of several transactions that are made at about the same time share a statement.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type {
  Change,
  Changed,
  EventQueue,
  HistoryEntry,
  ListQuery,
  MerchantAccount,
  NewTransaction,
  Store,
  Transaction,
} from '../store.ts'
import type { Database } from './postgres/database.ts'
import type { ClaimFloor } from './postgres/claim-floor.ts'
import type { Changes } from './postgres/changes.ts'
import { systemClock } from '../clock.ts'
import { silentLog } from '../log.ts'
import { systemRandomness } from '../randomness.ts'
import { createClaimFloor } from './postgres/claim-floor.ts'
import { countRows } from './postgres/count.ts'
import { createChanges } from './postgres/changes.ts'
import { createDatabase } from './postgres/database.ts'
import { createHastening } from './postgres/hasten.ts'
import { createMasking } from './postgres/masking.ts'
import { createMarkOrder } from './postgres/order-marks.ts'
import { createOutbox } from './postgres/outbox.ts'
import { accountKey, reached } from './postgres/rows.ts'
import { createRetention } from './postgres/retention.ts'
import { RowReader } from './postgres/row-reader.ts'
import { STATEMENTS } from './postgres/statements.ts'
import { createWrites } from './postgres/writes.ts'
import { CountRow, DueRow, HistoryRows, Rows } from './sqlite/rows.ts'

export interface PostgresOptions {
  log?: Log | undefined
  clock?: Clock | undefined
}

/** Returns the store at a `postgres://` URL. The first method call connects to the database and migrates its tables. */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  const { log = silentLog, clock = systemClock } = options
  const database = createDatabase(url, clock)
  const changes = createChanges({ database, clock, log, self: systemRandomness.token() })
  return new PostgresStore(database, changes, clock)
}

class PostgresStore implements Store {
  readonly listEnded: Store['listEnded']
  readonly prune: Store['prune']
  readonly listTombstones: Store['listTombstones']
  readonly recoveredAt: Store['recoveredAt']
  readonly listUnmasked: Store['listUnmasked']
  readonly listEventsOf: Store['listEventsOf']
  readonly mask: Store['mask']
  readonly findMentioning: Store['findMentioning']
  readonly truncateLog: Store['truncateLog']
  readonly markOrder: Store['markOrder']
  readonly count: Store['count']
  readonly hastenQueries: Store['hastenQueries']
  readonly hastenRetries: Store['hastenRetries']
  readonly claimEvents: Store['claimEvents']
  readonly finishEvent: Store['finishEvent']
  readonly listEvents: Store['listEvents']
  readonly findEvent: Store['findEvent']
  readonly replayEvent: Store['replayEvent']
  readonly connections: NonNullable<Store['connections']>
  readonly #database: Database
  readonly #changes: Changes
  readonly #clock: Clock
  readonly #floors = new Map<string, ClaimFloor>()
  readonly #rows: RowReader
  readonly #writes: ReturnType<typeof createWrites>

  constructor(database: Database, changes: Changes, clock: Clock) {
    this.#database = database
    this.#changes = changes
    this.#clock = clock
    this.#rows = new RowReader(database)
    this.#writes = createWrites(database, this.#rows)
    const retention = createRetention(database)
    ;({ listEnded: this.listEnded, prune: this.prune } = retention)
    ;({ listTombstones: this.listTombstones, recoveredAt: this.recoveredAt } = retention)
    const masking = createMasking(database)
    ;({ listUnmasked: this.listUnmasked, listEventsOf: this.listEventsOf, mask: this.mask } = masking)
    ;({ findMentioning: this.findMentioning, truncateLog: this.truncateLog } = masking)
    this.markOrder = createMarkOrder(database)
    this.count = (...args) => countRows(database, ...args)
    this.connections = () => database.connections()
    const hastening = createHastening(database, (account, queue, dueAt) =>
      this.#floor(accountKey(account), queue).lower(dueAt),
    )
    const outbox = createOutbox(database, changes, (account, queue) => this.#floor(account, queue))
    ;({ claimEvents: this.claimEvents, finishEvent: this.finishEvent } = outbox)
    ;({ listEvents: this.listEvents, replayEvent: this.replayEvent } = outbox)
    this.findEvent = outbox.findEvent
    ;({ hastenQueries: this.hastenQueries, hastenRetries: this.hastenRetries } = hastening)
  }

  async insert(...transactions: NewTransaction[]): Promise<boolean> {
    if (!(await this.#writes.insert(transactions))) return false
    for (const { id, account, due_at } of transactions) {
      this.#floor(accountKey(account), 'transactions').lower(due_at)
      this.#changes.announce({ id, due_at, event_due_at: null })
    }
    return true
  }

  async find(id: string): Promise<Transaction | null> {
    return this.#rows.find(id)
  }

  findByReference(
    account: MerchantAccount,
    kind: Transaction['kind'],
    reference: string,
  ): Promise<Transaction | null> {
    return this.#rows.findByReference(accountKey(account), kind, reference)
  }

  async list(account: MerchantAccount, kind: Transaction['kind'], group: string): Promise<Transaction[]> {
    return this.#rows.list(accountKey(account), kind, group)
  }

  async search(
    account: MerchantAccount,
    kind: Transaction['kind'],
    query: ListQuery,
  ): Promise<Transaction[]> {
    const { outcome, updatedSince = 0, after = { updated_at: -1, id: '' }, limit } = query
    const values = [accountKey(account), kind, updatedSince, after.updated_at, after.id, limit]
    return Rows.parse(
      outcome === undefined
        ? await this.#query('search', values)
        : await this.#query('searchOutcome', [...values, outcome]),
    )
  }

  async commit(id: string, version: number, change: Change): Promise<Transaction | null> {
    const saved = await this.#writes.commit(id, version, change)
    if (!saved) return null
    this.#floor(accountKey(saved.account), 'transactions').lower(saved.due_at)
    const event_due_at = change.events?.length ? change.at : null
    this.#floor(accountKey(saved.account), 'events').lower(event_due_at)
    this.#changes.announce({ id, due_at: saved.due_at, event_due_at })
    return saved
  }

  async history(id: string): Promise<HistoryEntry[]> {
    return HistoryRows.parse(await this.#query('history', [id]))
  }

  async countWaitingElsewhere(account: MerchantAccount): Promise<number> {
    const [row] = await this.#query('countWaitingElsewhere', [accountKey(account)])
    return CountRow.parse(row).waiting
  }

  async claimTransactions(
    account: MerchantAccount,
    now: number,
    leaseUntil: number,
    limit: number,
  ): Promise<Transaction[]> {
    const claim = (floor: number) =>
      this.#query('claimTransactions', [accountKey(account), now, leaseUntil, limit, floor])
    const rows = await this.#floor(accountKey(account), 'transactions').claim(now, claim, reached(now, limit))
    return rows.map((row) => this.#rows.read(row))
  }

  async nextDue(account: MerchantAccount, queue: 'transactions' | EventQueue): Promise<number | null> {
    const floor = this.#floor(accountKey(account), queue)
    const [row] = await floor.read(Infinity, (from) =>
      queue === 'transactions'
        ? this.#query('nextTransactionDue', [accountKey(account), from])
        : this.#query('nextEventDue', [accountKey(account), from, queue === 'retries']),
    )
    const { due } = DueRow.parse(row)
    floor.lower(due)
    return due
  }

  watch(changed: (change: Changed) => void, watched?: () => string[]): () => void {
    return this.#changes.watch(changed, watched)
  }

  async ping(): Promise<void> {
    await this.#database.checkOrigin()
    await this.#query('ping')
  }

  async close(): Promise<void> {
    await this.#changes.close()
    await this.#database.close()
  }

  #floor(account: string, queue: 'transactions' | EventQueue): ClaimFloor {
    const key = `${queue} ${account}`
    const floor = this.#floors.get(key) ?? createClaimFloor(this.#clock)
    this.#floors.set(key, floor)
    return floor
  }

  #query(statement: keyof typeof STATEMENTS, values?: unknown[]): Promise<unknown[]> {
    return this.#database.query(STATEMENTS[statement], values)
  }
}
