import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'

import { StoreError } from '../../../server/store/errors.ts'
import { openStore } from '../../../server/store/open.ts'
import { createOutageLog } from '../../../server/store/readiness.ts'
import { openDatabase } from '../../../server/store/sqlite/database.ts'
import { systemClock } from '../../../server/work/clock.ts'
import { installLanguages } from '../../examples/languages.ts'
import { HOME, newRow } from '../../support/contracts/stored-rows.ts'
import { newFolder } from '../../support/folder.ts'
import { CHARGE } from '../../support/worlds/chargeable.ts'
import { createWorld } from '../../support/worlds/world.ts'

const SECOND = 1_000

/** A program of another process that reads a file of SQLite, and ends. */
const READER = `
import sqlite3, sys
database = sqlite3.connect(sys.argv[1])
database.execute('SELECT count(*) FROM transactions').fetchall()
database.close()`

function makeFile() {
  const folder = newFolder()
  const path = join(folder, 'store.sqlite')
  const store = openStore(`sqlite:${path}`)
  onTestFinished(() => store.close())
  return { path, store }
}

function beside<Result>(path: string, work: (database: ReturnType<typeof openDatabase>) => Result): Result {
  const database = openDatabase(path)
  try {
    return work(database)
  } finally {
    database.close()
  }
}

test('an outage goes on if the store fails again while it is checked', async () => {
  const said: string[] = []
  const clock = { ...systemClock, now: () => said.length }
  const add = (_: object, message: string) => void said.push(message)
  let finish = () => {}
  const check = () => new Promise<void>((resolve) => (finish = resolve))
  const outage = createOutageLog({ debug: add, info: add, warn: add, error: add }, clock, check)
  const fail = () => outage.log.error({ err: new StoreError('The disk is full.') }, 'It failed.')

  const respond = async (meanwhile = () => {}) => {
    outage.storeResponded()
    meanwhile()
    finish()
    await setImmediate()
  }

  fail()
  await respond(fail)
  expect(said).toEqual(['It failed.', 'It failed.'])
  await respond()
  expect(said.at(-1)).toBe('The store responds again.')
})

describe('readiness', () => {
  test('readiness writes to the store, once in two seconds however often it is asked', async () => {
    const { path, store } = makeFile()
    const shop = await createWorld({ store })
    const written = () => beside(path, (database) => database.prepare('SELECT writes FROM readiness').get())
    for (let i = 0; i < 5; i++) {
      expect((await shop.ask('/health/ready')).status).toBe(200)
    }

    expect(written()).toEqual({ writes: 1 })
    await shop.later(2 * SECOND)
    for (let i = 0; i < 5; i++) {
      expect((await shop.ask('/health/ready')).status).toBe(200)
    }

    expect(written()).toEqual({ writes: 2 })
  })

  test.each<[string, RegExp, (path: string) => void]>([
    ['deleted', /was deleted or replaced/, (path) => rmSync(path)],
    [
      'replaced by a copy',
      /was deleted or replaced/,
      (path) => {
        copyFileSync(path, `${path}.copy`)
        renameSync(`${path}.copy`, path)
      },
    ],
    ['without its log', /store.sqlite-wal was deleted/, (path) => rmSync(`${path}-wal`)],
    ['emptied', /not a SQLite database/, (path) => truncateSync(path)],
    ['overwritten', /not a SQLite database/, (path) => writeFileSync(path, 'x'.repeat(20_000))],
    ['cut off', /its end is missing/, (path) => truncateSync(path, readFileSync(path).length / 2)],
  ])('readiness ends when the file is %s, and says so in the log', async (_, reason, harm) => {
    const { path, store } = makeFile()
    beside(path, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    const shop = await createWorld({ store })
    expect((await shop.ask('/health/ready')).status).toBe(200)
    beside(path, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    harm(path)
    await shop.later(2 * SECOND)
    const answer = await shop.ask('/health/ready')
    expect(answer.status).toBe(503)
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await answer.json()).toMatchObject({ code: 'store_unavailable' })
    const { facts } = shop.logged.findLast(({ level }) => level === 'error') ?? {}
    expect(facts).toMatchObject({ err: { message: expect.stringMatching(reason) } })
  })

  // Whoever closes a database last deletes its log. SQLite knows by locks that a server has it open.
  test('another process that reads the file and ends does not take its log from the server', async () => {
    const { path, store } = makeFile()
    const shop = await createWorld({ store })
    shop.order('A-1')
    const checkout = await shop.start('A-1')
    expect((await shop.ask('/health/ready')).status).toBe(200)

    installLanguages()
    execFileSync('python3', ['-c', READER, path])

    expect(existsSync(`${path}-wal`)).toBe(true)
    await shop.pay(checkout, 'approve')
    await shop.later(2 * SECOND)
    expect((await shop.ask('/health/ready')).status).toBe(200)
  })

  test('nothing new is accepted when the file is deleted, and what is open goes on', async () => {
    const { path, store } = makeFile()
    const shop = await createWorld({ store })
    for (const order of ['open', 'new']) {
      shop.order(order)
    }

    const open = await shop.start('open')
    expect((await shop.ask('/health/ready')).status).toBe(200)
    rmSync(path)
    await expect(shop.start('new')).rejects.toThrow('503')
    await expect(shop.payOut('local', { payout_reference: 'P-1' })).rejects.toThrow('503')
    expect((await shop.api('/charges', CHARGE)).status).toBe(503)
    const airtime = { reference: 'A-1', recipients: [{ phone_number: '254700000001', amount: '10' }] }
    expect((await shop.api('/airtime', airtime)).status).toBe(503)
    await shop.pay(open, 'approve')
    await shop.later(60 * SECOND)
    expect(await shop.status(open.checkout_id)).toMatchObject({ outcome: 'paid' })
    const messages = shop.logged.map(({ message }) => message)
    expect(messages).not.toContain('The store responds again.')
    const { facts } = shop.logged.find(({ level }) => level === 'error') ?? {}
    const advice = 'Do not restart the server yet: process'
    expect(facts).toMatchObject({ err: { message: expect.stringContaining(advice) } })
  })

  test('readiness survives a checkpoint that a crash interrupted after its first page', async () => {
    const { path, store } = makeFile()
    for (let i = 0; i < 100; i++) {
      await store.insert(newRow(`row ${i}`, { record: { text: 'x'.repeat(5_000) } }))
    }

    const crashed = `${path}.crashed`
    for (const end of ['', '-wal']) {
      copyFileSync(path + end, crashed + end)
    }

    beside(path, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    const firstPage = readFileSync(path).subarray(0, 4096)
    writeFileSync(crashed, Buffer.concat([firstPage, readFileSync(crashed).subarray(4096)]))
    expect(statSync(crashed).size).toBeLessThan(statSync(path).size)

    const restarted = openStore(`sqlite:${crashed}`)
    onTestFinished(() => restarted.close())
    await expect(restarted.ping()).resolves.toBeUndefined()
    expect(await restarted.search(HOME, 'checkout', { limit: 200 })).toHaveLength(100)
  })

  test('readiness does not begin with a file that is cut off', async () => {
    const { path, store } = makeFile()
    for (let i = 0; i < 100; i++) {
      await store.insert(newRow(`row ${i}`, { record: { text: 'x'.repeat(5_000) } }))
    }

    beside(path, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    const copy = `${path}.copy`
    writeFileSync(copy, readFileSync(path).subarray(0, 200_000))

    const opened = async () => {
      const cut = openStore(`sqlite:${copy}`)
      onTestFinished(() => cut.close())
      await cut.ping()
    }

    await expect(opened()).rejects.toThrow(/damaged/)
  })

  test('readiness ends when SQLite finds a damaged page', async () => {
    const { path, store } = makeFile()
    const record = { text: 'x'.repeat(15_000) }
    for (let i = 0; i < 400; i++) {
      await store.insert(newRow(`row ${i}`, { record }))
    }

    beside(path, (database) => database.exec('PRAGMA wal_checkpoint(TRUNCATE)'))
    await expect(store.ping()).resolves.toBeUndefined()
    writeFileSync(path, readFileSync(path).fill(0x5a, 200_000))
    await expect(store.search(HOME, 'checkout', { limit: 400 })).rejects.toThrow(/cannot be used$/)
    await expect(store.ping()).rejects.toThrow(/is damaged. Restore a backup/)
  })
})
