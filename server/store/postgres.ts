/**
 * Stores transactions in a Postgres database, which any number of server processes may share.
 *
 * Each change is made by one atomic SQL statement. A change therefore needs only one round trip, and works behind any
 * connection pooler. Transactions that are inserted at about the same time share a statement.
 */

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Change, Countable, NewTransaction, Queues, Records, Store, Transaction } from '../store.ts'
import type { Changes } from './postgres/changes.ts'
import type { Database } from './postgres/database.ts'
import type { StatementName } from './postgres/statements.ts'
import { systemClock } from '../clock.ts'
import { silentLog } from '../log.ts'
import { systemRandomness } from '../randomness.ts'
import { createChanges } from './postgres/changes.ts'
import { createDatabase, DuplicateError } from './postgres/database.ts'
import { createInsertGroup } from './postgres/insert-group.ts'
import { createOutbox } from './postgres/outbox.ts'
import { createRetention } from './postgres/retention.ts'
import { accountKey } from './postgres/statements.ts'
import { CountRow, DueRow, HistoryRows, IdRows, MarkRow, OrderMarkRow, Rows } from './rows.ts'

interface PostgresOptions {
  log?: Log | undefined
  clock?: Clock | undefined
}

/** Returns the store at a `postgres://` URL. The first method call connects to the database and migrates its tables. */
export function openPostgresStore(url: string, options: PostgresOptions = {}): Store {
  const { log = silentLog, clock = systemClock } = options
  const database = createDatabase(url)
  const changes = createChanges({ database, clock, log, self: systemRandomness.token() })
  return {
    ...createRecords(database, changes),
    ...createQueues(database),
    ...createOutbox(database, changes),
    ...createRetention(database),
    // Read each time: the database may be recovered while servers run.
    async recoveredAt() {
      const [row] = await database.run('recoveredAt')
      return MarkRow.parse(row).at
    },
    connections: () => database.connections(),
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

function createRecords(database: Database, changes: Changes): Records {
  const insertOne = createInsertGroup(async (rows) => {
    const inserted = IdRows.parse(await database.run('insertNew', columnsOf(rows)))
    return new Set(inserted.map(({ id }) => id))
  })
  return {
    async insert(...transactions) {
      const [first, ...others] = transactions
      const isNew = first && others.length === 0 ? insertOne(first) : insertAll(database, transactions)
      if (!(await isNew)) return false
      for (const { id, due_at } of transactions) changes.announce({ id, due_at, event_due_at: null })
      return true
    },

    find: (id) => findOne('find', [id]),

    findByReference: (account, kind, reference) =>
      findOne('findByReference', [accountKey(account), kind, reference]),

    async list(account, kind, group) {
      return Rows.parse(await database.run('list', [accountKey(account), kind, group]))
    },

    async search(account, kind, query) {
      const { outcome, updatedSince = 0, after = { updated_at: -1, id: '' }, limit } = query
      const values = [accountKey(account), kind, updatedSince, after.updated_at, after.id, limit]
      return Rows.parse(
        outcome === undefined
          ? await database.run('search', values)
          : await database.run('searchOutcome', [...values, outcome]),
      )
    },

    async commit(id, version, change) {
      const { at, events = [] } = change
      const values = [id, version, ...changedColumns(change)]
      const saved =
        events.length === 0
          ? await findOne('commit', values)
          : await findOne('commitEvents', [
              ...values,
              events.map((event) => event.id),
              events.map(({ about = '' }) => about),
              events.map(({ type }) => type),
              events.map(({ body }) => body),
            ])
      const event_due_at = events.length > 0 ? at : null
      if (saved) changes.announce({ id, due_at: saved.due_at, event_due_at })
      return saved
    },

    async history(id) {
      return HistoryRows.parse(await database.run('history', [id]))
    },

    async markOrder(account, order, mark) {
      const key = [accountKey(account), order]
      const find = async () => OrderMarkRow.optional().parse((await database.run('findOrderMark', key))[0])
      const stored = await find()
      if (stored && stored.issued_at >= mark.issued_at) return stored
      await database.run('markOrder', [...key, mark.issued_at, mark.digest])
      // Another process may have stored a newer mark meanwhile.
      return (await find()) ?? mark
    },
  }

  async function findOne(statement: StatementName, values: unknown[]): Promise<Transaction | null> {
    const [row] = Rows.parse(await database.run(statement, values))
    return row ?? null
  }
}

async function insertAll(database: Database, transactions: NewTransaction[]): Promise<boolean> {
  try {
    await database.run('insertAll', columnsOf(transactions))
    return true
  } catch (error) {
    if (error instanceof DuplicateError) return false
    throw error
  }
}

function createQueues(database: Database): Queues {
  return {
    async claimTransactions(account, now, leaseUntil, limit) {
      await database.checkOrigin()
      const values = [accountKey(account), now, leaseUntil, limit]
      return Rows.parse(await database.run('claimTransactions', values))
    },

    async hastenQueries(account, now, limit) {
      return (await database.run('hastenQueries', [accountKey(account), now, limit])).length
    },

    async nextDue(account, queue) {
      const key = accountKey(account)
      const [row] =
        queue === 'transactions'
          ? await database.run('nextTransactionDue', [key])
          : await database.run('nextEventDue', [key, queue === 'retries'])
      return DueRow.parse(row).due
    },

    async countWaitingElsewhere(account) {
      const [row] = await database.run('countWaitingElsewhere', [accountKey(account)])
      return CountRow.parse(row).waiting
    },

    async count(account, what, limit) {
      const [row] = await count(accountKey(account), what, limit)
      return CountRow.parse(row).waiting
    },
  }

  function count(key: string, what: Countable, limit: number): Promise<unknown[]> {
    switch (what.of) {
      case 'undelivered':
        return database.run('countUndelivered', [limit])
      case 'outcome':
        return database.run('countOutcome', [limit, key, what.kind, what.outcome])
      case 'due':
        return what.queue === 'transactions'
          ? database.run('countDueTransactions', [limit, key, what.now])
          : database.run('countDueEvents', [limit, key, what.now, what.queue === 'retries'])
    }
  }
}

/** Returns the values to insert, as one array per column. Each array holds one value per transaction. */
function columnsOf(transactions: NewTransaction[]): unknown[] {
  const accountColumns = ['environment', 'base_url', 'account_number'] as const
  const columns = ['id', 'kind', 'reference', 'group', 'attempt', 'outcome'] as const
  return [
    ...accountColumns.map((column) => transactions.map(({ account }) => account[column])),
    transactions.map(({ account }) => accountKey(account)),
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
  const { at, record, outcome, sent_at, due_at, asked_at, failures, historyEntry } = change
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
  ]
}
