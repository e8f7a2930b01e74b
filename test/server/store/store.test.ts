import { mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { readCheckout } from '../../../server/checkouts/record.ts'
import { openStore } from '../../../server/store/open.ts'
import { statementsOf } from '../../../server/store/sql/statements.ts'
import { openDatabase } from '../../../server/store/sqlite/database.ts'
import { SQLITE } from '../../../server/store/sqlite/dialect.ts'
import { storeContract } from '../../support/contracts/store.ts'
import { createStores, HOME, LATER, newRow } from '../../support/contracts/stored-rows.ts'
import { SCRATCH } from '../../support/scratch.ts'

import type { Changed } from '../../../server/store/transactions.ts'
import type { Database } from '../../support/contracts/stored-rows.ts'

storeContract('SQLite', makeFile)

async function makeFile(): Promise<Database & { path: string }> {
  const folder = await mkdtemp(join(SCRATCH, 'gateway-checkout-'))
  const path = join(folder, 'store.sqlite')
  return {
    path,
    open: async () => openStore(`sqlite:${path}`),
    remove: () => rm(folder, { recursive: true }),
  }
}

const { made, reopened } = createStores(makeFile)

async function databaseFileOf(sql: string) {
  const file = await made()
  const database = openDatabase(file.path)
  database.exec(sql)
  database.close()
  return file
}

test('a file of the store has another number than other files', async () => {
  const stores = await Promise.all([1, 2].map(async () => reopened(await made())))
  const numbers = await Promise.all(stores.map(async (store) => (await store.marks()).store))
  expect(new Set(numbers).size).toBe(2)
})

test('a file of the store that a command changes wakes the server that uses it', async () => {
  const file = await made()
  const server = await file.open()
  const command = openStore(`sqlite:${file.path}`, { isCommand: true })
  await server.insert(newRow('a', { due_at: null }))
  const event = { id: 'a1', type: 'checkout.paid', body: '{}' }
  await server.commit('a', 1, { at: 1, record: 1, events: [event] })
  await server.claimEvents(HOME, 'events', 1, 1, 1)
  await server.finishEvent('a1', { kind: 'delivered' }, 1)
  const changes: Changed[] = []
  const stop = server.watch((change) => void changes.push(change))
  expect(await command.replayEvent(HOME, 'a1', 2)).toBe(true)
  await expect
    .poll(() => changes, { timeout: 20_000 })
    .toContainEqual({ id: 'a', due_at: null, event_due_at: 2 })
  stop()
  await command.close()
  await server.close()
})

test('a file of the store of a newer version is refused in a sentence that says what to do', async () => {
  const file = await databaseFileOf('PRAGMA user_version = 999')
  await expect(file.open()).rejects.toThrow(/newer version.*Upgrade, or use another STORE_URL/)
})

test('a file of the store that a command has locked delays commits, and nothing else', async () => {
  const file = await made()
  const server = await reopened(file)
  const command = openDatabase(file.path)
  command.exec('BEGIN IMMEDIATE')
  const inserting = server.insert(newRow('a'))
  let turns = 0
  const begun = performance.now()
  while (turns < 5) {
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(await server.find('a')).toBeNull()
    turns += 1
  }

  expect(performance.now() - begun).toBeLessThan(1_000)
  command.exec('COMMIT')
  command.close()
  expect(await inserting).toBe(true)
})

test('a file of the store whose tables are not those of its version is refused', async () => {
  const halves = await databaseFileOf('CREATE TABLE transactions (id TEXT PRIMARY KEY)')
  await expect(halves.open()).rejects.toThrow(/its tables are not those of its version.*Restore a backup/)
  const empty = await databaseFileOf('PRAGMA user_version = 1')
  await expect(empty.open()).rejects.toThrow(`${empty.path}: its tables are not those of its version`)
})

test.each(['{"phase":', '{"phase":"unheard of"}', 'null', ''])(
  'a damaged record is told by its checkout, keeps no other from being claimed, and is left as it is: %s',
  async (wrong) => {
    const file = await made()
    const before = await file.open()
    await before.insert(newRow('a'))
    await before.insert(newRow('b'))
    await before.close()
    const database = openDatabase(file.path)
    database.exec(`UPDATE transactions SET record = '${wrong}' WHERE id = 'a'`)
    database.close()
    const store = await reopened(file)
    const row = await store.find('a')
    expect(() => row && readCheckout(row)).toThrow('The record of checkout reference of a cannot be read.')
    expect((await store.claimTransactions(HOME, 2_000_000, 3_000_000, 10)).map(({ id }) => id)).toContain('b')
    await store.commit('a', 2, { at: 1, due_at: null })
    expect(await store.find('a')).toMatchObject({ record: row?.record, due_at: null })
  },
)

/** The header of SQLite's log, and a page in it with the header of its own, in bytes. [SQLite: WAL File Format] */
const LOG = { headerBytes: 32, pageBytes: 24 + 4_096 }

// While the file is empty, each table and each index is one page.
test('a new transaction writes 8 pages to the log, and the answer of the gateway 5', async () => {
  const file = await made()
  const store = await reopened(file)
  const pagesOf = async (write: () => Promise<unknown>) => {
    await store.truncateLog()
    await write()
    return ((await stat(`${file.path}-wal`)).size - LOG.headerBytes) / LOG.pageBytes
  }

  expect(await pagesOf(() => store.insert(newRow('a', { personal: 'sealed' })))).toBe(8)
  const answer = {
    record: {},
    personal: 'sealed',
    outcome: 'waiting',
    due_at: LATER,
    historyEntry: 'Opened.',
  }
  expect(await pagesOf(() => store.commit('a', 1, { at: LATER, ...answer }))).toBe(5)
  expect(await store.history('a')).toHaveLength(1)
})

test('no statement reads all transactions, events or movements', async () => {
  const { path } = await made()
  await openStore(`sqlite:${path}`).close()
  const database = openDatabase(path)
  const plans = Object.entries(statementsOf(SQLITE)).map(([name, sql]) => {
    const steps = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all()
    return [name, ...steps.map((step) => String(Object(step).detail))]
  })
  database.close()
  const scans = plans.filter((steps) =>
    steps.some((step) => /^SCAN (t|m|transactions|events|movements)$/.test(step)),
  )
  expect(scans).toEqual([])
  const claim = plans.find(([name]) => name === 'claimTransactions')
  expect(claim).toContainEqual(expect.stringContaining('INDEX transactions_due'))
})
