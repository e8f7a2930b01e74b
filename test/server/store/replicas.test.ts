import { once } from 'node:events'
import { chmodSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'

import { StoreError } from '../../../server/store/errors.ts'
import { openStore } from '../../../server/store/open.ts'
import { POSTGRES } from '../../../server/store/postgres/dialect.ts'
import { statementsOf } from '../../../server/store/sql/statements.ts'
import { MINUTE, SECOND } from '../../../server/transactions/schedule.ts'
import { systemClock } from '../../../server/work/clock.ts'
import { moved } from '../../support/contracts/movements.ts'
import { countStored, many, prompted } from '../../support/contracts/prompts.ts'
import { claimed, event, HOME, newRow, NOW, taken } from '../../support/contracts/stored-rows.ts'
import { installWithApt, onPath } from '../../support/debian.ts'
import { newFolder } from '../../support/folder.ts'
import { freePort, listen } from '../../support/free-port.ts'
import { sharedPostgres } from '../../support/postgres.ts'
import { startServer } from '../../support/worlds/server-process.ts'
import { createWorld } from '../../support/worlds/world.ts'

import type { CountedElsewhereError } from '../../../server/store/errors.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Changed } from '../../../server/store/transactions.ts'
import type { Clock } from '../../../server/work/clock.ts'
import type { Socket } from 'node:net'

let url: string
const stores: Store[] = []

const fast: Clock = {
  now: () => systemClock.now(),
  sleep: (ms, signal) => systemClock.sleep(ms / 20, signal),
}
const SOON = { timeout: 20_000 }

const postgres = await sharedPostgres()
const proxy = await startProxy(postgres.port)
afterAll(() => proxy.close())
beforeEach(async () => {
  url = await postgres.newDatabase()
})
afterEach(async () => {
  for (const store of stores.splice(0)) {
    await store.close()
  }
})

function open(port = postgres.port): Store {
  const store = openStore(url.replace(String(postgres.port), String(port)), { clock: fast })
  stores.push(store)
  return store
}

async function claimOnce(all: Store[]): Promise<void> {
  const ids = Array.from({ length: 30 }, (_, index) => `${index}`)
  for (const id of ids) {
    await all[0]!.insert(newRow(id))
    await all[0]!.commit(id, 1, { at: NOW, record: 1, events: [event(`e${id}`)] })
  }

  const turns = [...all, ...all, ...all, ...all]
  const transactions = await Promise.all(turns.map((store) => claimed(store, NOW)))
  const events = await Promise.all(turns.map((store) => taken(store, NOW)))
  expect(transactions.flat().toSorted()).toEqual(ids.toSorted())
  expect(events.flat().toSorted()).toEqual(ids.map((id) => `e${id}`).toSorted())
}

describe('several processes', () => {
  test('several processes that start at once on an empty database migrate it once', async () => {
    const all = [open(), open(), open(), open()]
    await Promise.all(all.map((store) => store.ping()))
    const versions = await postgres.run(
      url,
      'SELECT version FROM gateway_checkout.migrations ORDER BY version',
    )
    expect(versions).toEqual([{ version: 1 }])
  })

  test('several processes claim each due transaction and each event once', () =>
    claimOnce([open(), open(), open()]))

  test.each(['directly', 'through a pooler'])(
    'several processes count prompts together, connected %s',
    async (how) => {
      const pooler = how === 'directly' ? null : await startPooler(postgres.port, newFolder())
      const all = [1, 2, 3].map(() => open(pooler?.port))
      const rows = many(40, (index) => prompted(`${index}`, { phone: 'one' }))
      expect(await countStored(rows, all)).toBe(3)
      await pooler?.stop()
    },
  )
})

test.each([
  ['counts for the transaction of the first', 'COMMIT', 'reference of a'],
  ['counts for that of the second if the first fails', 'ROLLBACK', null],
])('a payment that two processes commit at the same time %s', async (_, end, reference) => {
  const store = open()
  await store.insert(newRow('a'))
  await store.insert(newRow('b'))
  const other = await postgres.connect(url)
  await other.query('BEGIN')
  await other.query(statementsOf(POSTGRES).countPayment, ['a', 'tx-1'])
  const committing = store
    .commit('b', 1, { at: NOW, record: 1, movements: [moved({ payment: 'tx-1' })] })
    .then(
      () => null,
      (error: CountedElsewhereError) => error.elsewhere.get('tx-1'),
    )
  // If the commit did not wait for the other one, it would end during these calls.
  for (let turn = 0; turn < 20; turn++) {
    expect(await store.find('b')).toMatchObject({ version: 1 })
  }

  await other.query(end)
  await other.end()
  expect(await committing).toBe(reference)
})

test('a list of events waits for a commit in progress with earlier events', async () => {
  const store = open()
  await store.insert(newRow('a'))
  await store.insert(newRow('b'))
  const other = await postgres.connect(url)
  await other.query('BEGIN')
  const added = ['a', '', 'a1', 'checkout.paid', '{}', NOW]
  await other.query(statementsOf(POSTGRES).addEvent, added)
  await store.commit('b', 1, { at: NOW, record: 1, events: [event('b1')] })
  const listed = store.listEvents(HOME, 0, 10)
  // If `listEvents` did not wait for the commit, it would finish during these calls.
  for (let turn = 0; turn < 20; turn++) {
    await store.find('a')
  }

  await other.query('COMMIT')
  await other.end()
  expect((await listed).map(({ id }) => id)).toEqual(['a1', 'b1'])
})

test('a process that starts before the database works once the database runs, and reconnects', async () => {
  proxy.refuse()
  const store = open(proxy.port)
  await expect(store.ping()).rejects.toThrow(StoreError)
  proxy.admit()
  await store.insert(newRow('a'))
  proxy.refuse()
  await expect(store.find('a')).rejects.toThrow(StoreError)
  proxy.admit()
  await expect.poll(() => store.find('a').catch(() => null), SOON).toMatchObject({ id: 'a' })
})

test('a connection that is lost while it is checked fails a request, not the process', async () => {
  const store = open(proxy.port)
  await store.ping()
  // The requests need more connections than the one that is open. Each new connection is checked.
  proxy.cutAt('pg_control_system')
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => store.history('a')))
  const lost = asked.filter(({ status }) => status === 'rejected')
  expect(lost.length).toBeGreaterThan(0)
  for (const each of lost) {
    expect(each).toMatchObject({ reason: expect.any(StoreError) })
  }

  proxy.cutAt(null)
  await Promise.all(Array.from({ length: 8 }, () => store.history('a')))
})

test('a transaction whose connection is lost before its end changes nothing, and the next one does', async () => {
  const store = open(proxy.port)
  await store.insert(newRow('a'))
  const told = { at: NOW, record: 1, historyEntry: 'Told.', events: [event('a1')] }
  proxy.cutAt('COMMIT')
  await expect(store.commit('a', 1, told)).rejects.toThrow(StoreError)
  proxy.cutAt(null)
  expect(await store.find('a')).toMatchObject({ version: 1 })
  expect(await store.history('a')).toEqual([])
  expect(await store.commit('a', 1, told)).toMatchObject({ version: 2 })
  expect(await taken(store, NOW)).toEqual(['a1'])
})

test('a new checkout asks the database four times', async () => {
  const shop = await createWorld({ store: open(proxy.port) })
  shop.order('A-1')
  shop.order('A-2')
  await shop.start('A-1')
  const before = proxy.answered()
  await shop.start('A-2')
  expect(proxy.answered() - before).toBe(4)
})

test('an outage of the store logs a line when it begins, one a minute, and one when it is over', async () => {
  const store = open(proxy.port)
  const shop = await createWorld({ store })
  shop.order('A-1')
  await shop.start('A-1')
  const before = shop.logged.length
  const lines = (level: string) => shop.logged.slice(before).filter((line) => line.level === level)
  expect(shop.logged.filter(({ level }) => level === 'error')).toEqual([])

  proxy.refuse()
  expect((await shop.api('/payouts/WAGES')).status).toBe(503)
  await shop.later(30 * SECOND)
  expect(lines('error')).toHaveLength(1)
  expect(lines('error')[0]?.facts).toHaveProperty('err.message')
  await shop.later(2.5 * MINUTE)
  expect((await shop.api('/payouts/WAGES')).status).toBe(503)
  expect(lines('error')).toHaveLength(3 + 1)
  expect(lines('error').at(-1)?.facts).toMatchObject({ similar: expect.any(Number) })
  // The lines that are left out are there with LOG_LEVEL=debug.
  expect(lines('debug').filter(({ facts }) => 'err' in facts).length).toBeGreaterThan(100)
  expect(lines('warn')).toEqual([])

  proxy.admit()
  await shop.later(30 * SECOND)
  expect(lines('warn')).toEqual([
    { level: 'warn', facts: { seconds: expect.any(Number) }, message: 'The store responds again.' },
  ])
  expect(lines('error')).toHaveLength(3 + 1)
  expect((await shop.api('/payouts/WAGES')).status).toBe(404)
})

async function expectChangesReported(store: Store, other: Store): Promise<void> {
  await store.insert(newRow('a'))
  await store.insert(newRow('b'))
  const reported: Changed[] = []
  other.watch(
    (changed) => void reported.push(changed),
    () => ['a'],
  )
  for (const version of [1, 2, 3]) {
    reported.length = 0
    await store.commit('b', version, { at: NOW, record: version })
    await store.commit('a', version, { at: NOW, record: version })
    await expect.poll(() => reported, SOON).toContainEqual({ id: 'a', due_at: null, event_due_at: null })
    expect(reported.filter(({ id }) => id === 'b')).toEqual([])
  }
}

test('a change of another process reaches who watches the transaction, and is not told to do its work', () =>
  expectChangesReported(open(), open()))

describe.runIf(process.env.FULL)('through a pooler in transaction mode', () => {
  const folder = newFolder(afterAll)
  let pooler: Awaited<ReturnType<typeof startPooler>>
  beforeAll(async () => {
    pooler = await startPooler(postgres.port, folder)
    return () => pooler.stop()
  }, 120_000)

  test('through a pooler in transaction mode, a change of another process is reported', () =>
    expectChangesReported(open(), open(pooler.port)))

  test('through a pooler in transaction mode, due transactions and events are claimed once', () =>
    claimOnce([open(), open(pooler.port), open(pooler.port)]))
})

/** The beginning of the message with which each answer of Postgres ends. [PostgreSQL: Message Formats] */
const READY_FOR_QUERY = 'Z\0\0\0\x05'

/** A proxy that cuts each connection on which the client sends the text of `cutAt` from then on; `null` ends this. */
async function startProxy(target: number) {
  const open = new Map<Socket, Socket>()
  let isRefusing = false
  let cutText: string | null = null
  let answered = 0
  const server = createServer((client) => {
    if (isRefusing) {
      return void client.destroy()
    }

    const other = connect(target, '127.0.0.1')
    open.set(client, other)
    client.on('data', (data) => {
      if (cutText !== null && data.toString('latin1').includes(cutText)) {
        client.destroy()
      } else {
        other.write(data)
      }
    })
    other.on('data', (data) => {
      answered += data.toString('latin1').split(READY_FOR_QUERY).length - 1
      client.write(data)
    })
    for (const [socket, peer] of [
      [client, other],
      [other, client],
    ] as const) {
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(client)
        peer.destroy()
      })
    }
  })
  const { port } = new URL(await listen(server))

  const cut = () => {
    for (const pair of open) {
      for (const socket of pair) {
        socket.destroy()
      }
    }
  }

  return {
    port: Number(port),
    answered: () => answered,
    cutAt: (sent: string | null) => void (cutText = sent),
    refuse() {
      isRefusing = true
      cut()
    },
    admit: () => void (isRefusing = false),
    async close() {
      const closed = once(server, 'close')
      server.close()
      cut()
      await closed
    },
  }
}

async function startPooler(serverPort: number, folder: string) {
  if (!onPath('pgbouncer')) {
    installWithApt(['pgbouncer'])
  }

  const command = onPath('pgbouncer')
  if (!command) {
    throw new Error('PgBouncer is missing: run apt-get install pgbouncer as root.')
  }

  chmodSync(folder, 0o755)
  const port = await freePort()
  const settings = [
    '[databases]',
    `* = host=127.0.0.1 port=${serverPort} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
  ]
  writeFileSync(join(folder, 'pgbouncer.ini'), settings.join('\n'))
  const pooler = await startServer(command, [join(folder, 'pgbouncer.ini')], {
    ready: 'process up',
    stop: 'TERM',
  })
  return { port, stop: () => pooler.stop() }
}
