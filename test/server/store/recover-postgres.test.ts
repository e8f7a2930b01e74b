import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

import { openStore, recoverStore } from '../../../server/store/open.ts'
import { recoveryContract } from '../../support/contracts/recovery.ts'
import { event, HOME, newRow, NOW } from '../../support/contracts/stored-rows.ts'
import { installWithApt } from '../../support/debian.ts'
import { newFolder } from '../../support/folder.ts'
import { sharedPostgres, startPostgres } from '../../support/postgres.ts'
import { createTerminal } from '../../support/worlds/terminal.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { Store } from '../../../server/store/store.ts'
import type { RestorableShop } from '../../support/contracts/recovery.ts'
import type { Postgres } from '../../support/postgres.ts'
import type { WorldOptions } from '../../support/worlds/world.ts'
const DAY = 24 * 3_600_000
const REFUSED =
  /^The store at \S+ cannot be used: it was restored or promoted.*run "gateway-checkout-server recover" first\.$/

const postgres = await sharedPostgres()

// With a `recovery.signal` file, Postgres starts a new timeline.
async function promote(url: string): Promise<void> {
  const [row] = await postgres.run(url, 'SHOW data_directory')
  const folder = String(row?.data_directory)
  await postgres.run(url, `ALTER SYSTEM SET restore_command = 'false'`)
  const signal = join(folder, 'recovery.signal')
  writeFileSync(signal, '')
  const { uid, gid } = statSync(folder)
  chownSync(signal, uid, gid)
  await postgres.restart()
  await postgres.run(url, 'ALTER SYSTEM RESET restore_command')
}

// Like `DROP SCHEMA` and `pg_restore`, this creates a new table.
async function restoreDump(url: string): Promise<void> {
  await postgres.run(
    url,
    `ALTER TABLE gateway_checkout.transactions RENAME TO dumped;
     CREATE TABLE gateway_checkout.transactions (LIKE gateway_checkout.dumped INCLUDING ALL);
     INSERT INTO gateway_checkout.transactions SELECT * FROM gateway_checkout.dumped`,
  )
}

test('a promoted database is refused, also by a running server, until it is recovered', async () => {
  const url = await postgres.newDatabase()
  const server = openStore(url)
  await server.insert(newRow('unsent', { due_at: NOW + 9 * DAY }))
  await server.insert(newRow('open', { due_at: NOW + DAY, sent_at: NOW + 1 }))
  await server.insert(newRow('settled', { due_at: NOW + 2 * DAY, sent_at: NOW + 1 }))
  await server.commit('open', 1, { at: NOW, events: [event('e')] })
  expect(await server.marks()).toMatchObject({ recovered: null })
  await promote(url)
  await expect.poll(() => server.ping().catch(({ message }: Error) => message)).toMatch(REFUSED)
  const other = openStore(url)
  await expect(other.ping()).rejects.toThrow(REFUSED)
  const { run } = createTerminal({
    STORE_URL: url,
    ORDER_SIGNING_KEY: 'a key of at least 32 bytes, for a test',
  })
  const { code, err } = await run('serve')
  expect({ code, msg: JSON.parse(err).msg }).toEqual({
    code: 78,
    msg: expect.stringMatching(/run "gateway-checkout-server recover" first\.$/),
  })

  expect(await recoverStore(url, NOW + 5)).toEqual({ asked: 1, unsent: 1, knownUntil: NOW })
  await other.ping()
  expect(await other.find('unsent')).toMatchObject({
    sent_at: null,
    recovered_at: NOW + 5,
    due_at: NOW + 9 * DAY,
  })
  expect(await other.find('open')).toMatchObject({
    sent_at: NOW + 1,
    recovered_at: NOW + 5,
    due_at: NOW + 5,
    version: 1_001,
  })
  expect(await other.find('settled')).toMatchObject({
    recovered_at: null,
    due_at: NOW + 2 * DAY,
    version: 1,
  })
  expect(await other.marks()).toMatchObject({ recovered: NOW + 5 })
  await other.commit('settled', 1, { at: NOW + 5, events: [event('later')] })
  expect((await other.listEvents(HOME, 1_000_000, 10)).map(({ id }) => id)).toEqual(['later'])
  await expect(server.ping()).rejects.toThrow(REFUSED)
  await Promise.all([server.close(), other.close()])
})

test.each<[string, (store: Store) => Promise<unknown>]>([
  ['transactions', (store) => store.claimTransactions(HOME, NOW, NOW + 1, 10)],
  ['events', (store) => store.claimEvents(HOME, 'events', NOW, NOW + 1, 10)],
  ['nothing, and is checked for readiness', (store) => store.ping()],
])('a server whose database is replaced by a dump claims %s, and writes nothing more', async (_, notice) => {
  const url = await postgres.newDatabase()
  const server = openStore(url)
  await server.insert(newRow('a'))
  await restoreDump(url)
  await expect(notice(server)).rejects.toThrow(REFUSED)
  await expect(server.insert(newRow('b'))).rejects.toThrow(REFUSED)
  await expect(server.commit('a', 1, { at: NOW, outcome: 'paid' })).rejects.toThrow(REFUSED)

  await recoverStore(`${url}?application_name=beside-the-server`, NOW)
  await expect(server.insert(newRow('c'))).rejects.toThrow(REFUSED)
  await server.close()
  const restarted = openStore(url)
  await restarted.ping()
  expect(await restarted.search(HOME, 'checkout', { limit: 10 })).toMatchObject([{ id: 'a' }])
  await restarted.close()
})

test('recover says until when the dump knows, whatever a server has written since', async () => {
  const url = await postgres.newDatabase()
  const server = openStore(url)
  await server.insert(newRow('a'))
  await server.insert(newRow('b', { created_at: NOW + 1_000 }))
  await restoreDump(url)
  // The server compares the identity when it claims and when it connects, so it may or may not write here.
  await Promise.allSettled([
    server.insert(newRow('c', { created_at: NOW + 2_000 })),
    server.commit('a', 1, { at: NOW + 3_000, outcome: 'paid' }),
  ])
  await server.close()
  expect(await recoverStore(url, NOW + 5_000)).toMatchObject({ knownUntil: NOW + 1_000 })
})

test('after rows were copied without the sequences, the numbers of events and links are above those that clients know', async () => {
  const url = await postgres.newDatabase()
  const server = openStore(url)
  await server.insert(newRow('a'))
  const sequenceOf = (table: string) => `pg_get_serial_sequence('gateway_checkout.${table}', 'sequence')`
  const TABLES = ['events', 'links']
  for (const table of TABLES) {
    await postgres.run(url, `SELECT setval(${sequenceOf(table)}, 3000000)`)
  }

  const link = (id: string) => ({ id, terms: {}, created_at: NOW })
  await server.commit('a', 1, { at: NOW, events: [event('before')] })
  await server.insertLink(HOME, link('before'))
  await server.close()
  await restoreDump(url)
  for (const table of TABLES) {
    await postgres.run(url, `SELECT setval(${sequenceOf(table)}, 1, false)`)
  }

  await recoverStore(url, NOW)
  const restarted = openStore(url)
  const { revision = 0 } = (await restarted.find('a')) ?? {}
  await restarted.commit('a', revision, { at: NOW, events: [event('after')] })
  await restarted.insertLink(HOME, link('after'))
  expect(await restarted.listEvents(HOME, 3_000_001, 10)).toMatchObject([{ id: 'after' }])
  expect(await restarted.listLinks(HOME, 3_000_001, 10)).toMatchObject([{ id: 'after' }])
  await restarted.close()
})

test('recover waits until other processes have left the database, and refuses while one stays', async () => {
  const url = await postgres.newDatabase()
  const server = openStore(url)
  await server.insert(newRow('a'))
  await restoreDump(url)
  const { run } = createTerminal({ STORE_URL: url })
  expect(await run('recover')).toMatchObject({
    code: 78,
    err: expect.stringMatching(/: a server or another command uses it. Stop every server, and try again\.$/m),
  })
  expect(await postgres.run(url, 'SELECT sent_at FROM gateway_checkout.transactions')).toEqual([
    { sent_at: null },
  ])
  const recovering = recoverStore(url, NOW)
  await server.close()
  expect(await recovering).toMatchObject({ asked: 1 })
}, 30_000)

test('backup prints how a Postgres database is backed up', async () => {
  const url = new URL(await postgres.newDatabase())
  url.password = 'the-password'
  const { run } = createTerminal({ STORE_URL: url.href })
  const { code, out, err } = await run(['backup', '/backups/a.dump'])
  // A scheduled job must not take the printed lines for a backup.
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('nothing was written') })
  expect(await run(['backup', '--print', '/backups/a.dump'])).toEqual({ code: 0, out, err: '' })
  expect(out).not.toMatch(/the-password|\$STORE_URL/)
  expect(out).toMatch(/^ {2}umask 077$/m)
  expect((await run(['backup', "it's.dump"])).out).toContain("--file='it'\\''s.dump'")
  expect(out).toMatch(
    /pg_dump .*--file=\/backups\/a.dump[^]*pg_restore[^]*gateway-checkout-server recover\n$/,
  )
})

// Debian's Postgres 15 has the programs `pg_dump` and `psql`, which npm's package lacks.
const BINARIES = '/usr/lib/postgresql/15/bin'
let debian: Postgres

describe.runIf(process.env.FULL)('a dump', () => {
  beforeAll(async () => {
    if (!existsSync(BINARIES)) {
      installWithApt(['postgresql-15'])
    }
    if (!existsSync(BINARIES)) {
      throw new Error('Run apt-get install postgresql-15 as root.')
    }

    debian = await startPostgres(BINARIES)
    return () => debian.stop()
  }, 120_000)
  recoveryContract('Postgres', openDumpedShop)
})

/** Runs a shell command, which finds the programs of Postgres, and the URL of the database in `STORE_URL`. */
async function shell(line: string, STORE_URL: string): Promise<void> {
  const env = { PATH: [BINARIES, process.env.PATH].join(delimiter), STORE_URL }
  const child = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [[code], messages] = await Promise.all([once(child, 'close'), text(child.stderr)])
  if (code !== 0) {
    throw new Error(`${line} failed: ${messages}`)
  }
}

async function openDumpedShop(options: WorldOptions = {}): Promise<RestorableShop> {
  const storeUrl = await debian.newDatabase()
  const folder = newFolder()
  const { run } = createTerminal({ STORE_URL: storeUrl })
  // The test runs the commands that `backup` prints.
  const { out } = await run(['backup', join(folder, 'store.dump')])
  const [dump = '', drop = '', restore = ''] = out.split('\n').filter((line) => /^ {2}(pg_|psql)/.test(line))
  let store = openStore(storeUrl)
  onTestFinished(() => store.close())
  const shop = await createWorld({ store, seed: 5, ...options })
  return {
    ...shop,
    storeUrl,
    backUp: () => shell(dump, storeUrl),
    async restore() {
      await store.close()
      await shell(drop, storeUrl)
      await shell(restore, storeUrl)
    },
    reopen: () => (store = openStore(storeUrl)),
  }
}
