import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Database } from '../support/stored-rows.ts'
import firstSchema from '../../server/store/sqlite/0001-transactions.sql?raw'
import { readCheckout } from '../../server/checkouts/record.ts'
import { openStore } from '../../server/store/open.ts'
import { openDatabase } from '../../server/store/sqlite/database.ts'
import { storeContract } from '../support/store-contract.ts'
import { HOME, newRow } from '../support/stored-rows.ts'

storeContract('SQLite', makeFile)

async function makeFile(): Promise<Database & { path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-checkout-'))
  const path = join(folder, 'store.sqlite')
  return {
    path,
    open: async () => openStore(`sqlite:${path}`),
    remove: () => rm(folder, { recursive: true }),
  }
}

/** Changes a file behind the store's back. */
async function damaged(sql: string): Promise<{ open: Database['open'] }> {
  const file = await makeFile()
  const store = await file.open()
  await store.insert(newRow('a'))
  await store.insert(newRow('b'))
  await store.close()
  const database = openDatabase(file.path)
  database.exec(sql)
  database.close()
  return file
}

describe('a file', () => {
  test('of a newer version is refused in a sentence that says what to do', async () => {
    const file = await damaged('PRAGMA user_version = 999')
    await expect(file.open()).rejects.toThrow(/newer version.*Upgrade, or use another STORE_URL/)
  })

  test('of the first version is brought up to date, and what waited in it still does', async () => {
    const file = await makeFile()
    const database = openDatabase(file.path)
    database.exec(`${firstSchema}; PRAGMA user_version = 1;
      INSERT INTO transactions VALUES ('a', 'checkout', '${Object.values(HOME).join("', '")}', 'r', 'g', 1, 2, 'paid', '{}', 1, 1, 5, 1, 1, 0, 0);
      INSERT INTO events (id, transaction_id, type, body, created_at, due_at) VALUES ('e', 'a', 't', '{}', 1, 1)`)
    database.close()
    const store = await file.open()
    expect(await store.claimTransactions(HOME, 5, 6, 10)).toMatchObject([{ id: 'a', version: 2 }])
    expect(await store.claimEvents(HOME, 5, 6, 10)).toMatchObject([{ id: 'e' }])
    await store.close()
  })

  test('that is no database is refused', async () => {
    const file = await makeFile()
    await writeFile(file.path, 'This is no database, but a text of some length. '.repeat(20))
    await expect(file.open()).rejects.toThrow(/not a database/)
  })

  test.each(['postgres://user:password@host/db', 'sqlite:', 'file.sqlite'])('is not named by %s', (url) => {
    expect(() => openStore(url)).toThrow('STORE_URL must be sqlite:PATH.')
  })
})

describe('a record that was damaged', () => {
  const wrongs = [`'{"phase":'`, `'{"phase":"unheard of"}'`, `'null'`, `''`]

  test.each(wrongs)('is told by its checkout: %s', async (wrong) => {
    const file = await damaged(`UPDATE transactions SET record = ${wrong} WHERE id = 'a'`)
    const store = await file.open()
    const row = await store.find('a')
    expect(() => row && readCheckout(row)).toThrow('The record of checkout a cannot be read.')
    await store.close()
  })

  test.each(wrongs)('does not keep others from being claimed: %s', async (wrong) => {
    const file = await damaged(`UPDATE transactions SET record = ${wrong} WHERE id = 'a'`)
    const store = await file.open()
    const due = await store.claimTransactions(HOME, 2_000_000, 3_000_000, 10)
    expect(due.map(({ id }) => id)).toContain('b')
    await store.close()
  })
})

test('a damaged record is left as it is by a change of something else', async () => {
  const file = await damaged(`UPDATE transactions SET record = '{"phase":' WHERE id = 'a'`)
  const store = await file.open()
  await store.commit('a', 1, { at: 1, due_at: null })
  expect(await store.find('a')).toMatchObject({ record: '{"phase":', due_at: null })
  await store.close()
})

test('what is due is found as fast among thousands that are not', async () => {
  const store = openStore('sqlite::memory:')
  // As large as a checkout that was paid.
  const fields = { due_at: 5_000_000, record: { text: 'x'.repeat(2_000) } }
  await store.insert(...Array.from({ length: 20_000 }, (_, index) => newRow(`${index}`, fields)))
  await store.insert(newRow('due'), newRow('elsewhere', { account: { ...HOME, account_number: 'ACC-002' } }))
  expect(await store.claimTransactions(HOME, 2_000_000, 3_000_000, 10)).toHaveLength(1)
  const begun = performance.now()
  for (let turn = 0; turn < 60; turn++) {
    expect(await store.claimTransactions(HOME, 2_000_000, 3_000_000, 10)).toEqual([])
    expect(await store.nextDue(HOME, 'transactions')).toBe(3_000_000)
  }
  // A look at each of them takes a second.
  expect(performance.now() - begun).toBeLessThan(400)
  await store.close()
})
