import { createServer } from 'node:net'
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'

import { StoreError } from '../../../server/store/errors.ts'
import { openStore, recoverStore } from '../../../server/store/open.ts'
import { POSTGRES } from '../../../server/store/postgres/dialect.ts'
import { openPostgres } from '../../../server/store/postgres/driver.ts'
import { listByIdsOf } from '../../../server/store/sql/kept-rows.ts'
import { statementsOf } from '../../../server/store/sql/statements.ts'
import { createStore } from '../../../server/store/sql/store.ts'
import { systemClock } from '../../../server/work/clock.ts'
import { storeContract } from '../../support/contracts/store.ts'
import { HOME, newRow } from '../../support/contracts/stored-rows.ts'
import { listen } from '../../support/free-port.ts'
import { sharedPostgres } from '../../support/postgres.ts'

import type { Driver } from '../../../server/store/driver.ts'
import type { Store } from '../../../server/store/store.ts'

const postgres = await sharedPostgres()
const url = await postgres.newDatabase()
await withStore(url, (store) => store.ping())
const cleaner = await postgres.connect(url)
afterAll(() => cleaner.end())

async function withStore<T>(address: string, work: (store: Store) => Promise<T>): Promise<T> {
  const store = openStore(address)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

async function emptied(): Promise<string> {
  const tables = [
    'transactions',
    'events',
    'merchants',
    'prompts',
    'links',
    'presses',
    'movements',
    'counted_payments',
    'notices',
  ]
  await cleaner.query(tables.map((table) => `DELETE FROM gateway_checkout.${table}`).join(';'))
  return url
}

storeContract('Postgres', async () => {
  await emptied()
  return { open: async () => openStore(url), remove: async () => {} }
})

test('reads of one turn share a statement, and a row that cannot be read fails alone', async () => {
  const address = await postgres.newDatabase()
  const driver = openPostgres(address)
  let reads = 0
  const query: Driver['query'] = (...statement) => {
    reads += Number(statement[0] === listByIdsOf(POSTGRES))
    return driver.query(...statement)
  }
  const store = createStore({ ...driver, query }, systemClock)
  const ids = Array.from({ length: 20 }, (_, index) => `id-${index}`)
  for (const id of ids) {
    await store.insert(newRow(id))
  }
  await driver.query(
    `UPDATE gateway_checkout.transactions SET created_at = 9223372036854775807 WHERE id = 'id-3'`,
  )

  const found = await Promise.allSettled([...ids, 'id-0', 'nobody'].map((id) => store.find(id)))
  await store.close()

  expect(reads).toBe(1)
  const said = found.map((each) => (each.status === 'fulfilled' ? (each.value?.id ?? null) : 'unreadable'))
  expect(said).toEqual([...ids.map((id) => (id === 'id-3' ? 'unreadable' : id)), 'id-0', null])
})

// Its tables never had a row: a vacuum, which may come at any time, tells the planner how small a table is.
const untouched = await postgres.newDatabase()
await withStore(untouched, (store) => store.ping())

const BY_KEY = /transactions_(pkey|account_kind_reference_key_key|group_key_account_kind_attempt_key)/

test.each([
  ['find', BY_KEY],
  ['findByReference', BY_KEY],
  ['list', BY_KEY],
  ['commit', BY_KEY],
  ['claimTransactions', /transactions_due/],
  ['nextTransactionDue', /transactions_due/],
  ['correctFutureTimes', /transactions_ahead/],
  // Delivered events are not in this index, so that any number of them slows no claim.
  ['claimEvents', /events_due/],
  ['nextEventDue', /events_due/],
  ['searchBy_receipt', /movements_receipt/],
  ['searchBy_phone', /movements_phone/],
  ['searchBy_amount', /movements_amount/],
  ['narrowBy_ends', /movements_ends/],
  ['searchBy_at', /movements_at/],
  ['listMovements', /movements_booked/],
] as const)(
  'the statement "%s" finds its rows by an index, even if it was prepared while the table was empty',
  async (name, index) => {
    const sql = statementsOf(POSTGRES)[name]
    const client = await postgres.connect(untouched)
    const count = new Set(sql.match(/\$\d+/g)).size
    await client.query(`SET plan_cache_mode = force_generic_plan; PREPARE one AS ${sql}`)
    const { rows } = await client.query(`EXPLAIN EXECUTE one(${Array(count).fill('NULL').join()})`)
    await client.end()
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toMatch(index)
    expect(plan).not.toMatch(
      /Seq Scan on (transactions|events|movements)|transactions_(changed|outcome|ended|personal|failed)/,
    )
  },
)

test('while the database cannot be used statements that wait too long for a lock or a connection fail with a sentence, and later ones succeed', async () => {
  await withStore(await emptied(), async (store) => {
    const locker = await postgres.connect(url)
    await locker.query('BEGIN; LOCK TABLE gateway_checkout.transactions')
    const searching = Array.from({ length: 12 }, () =>
      store.search(HOME, 'checkout', { limit: 1 }).then(() => '', String),
    )
    const errors = await Promise.all(searching)
    await locker.end()
    const told = (sentence: string) => errors.filter((error) => error.includes(sentence)).length
    expect(told('statement timeout')).toBeGreaterThan(0)
    expect(told('All 10 connections are in use')).toBeGreaterThan(0)
    expect(told('StoreError: The store at postgres://127.0.0.1')).toBe(12)
    expect(await store.find('a')).toBeNull()
  })
})

describe('a database', () => {
  const withSecret = (address: string) => address.replace('postgres@', 'postgres:the-secret@')

  async function refusal(address: string): Promise<string> {
    const error: unknown = await withStore(withSecret(address), (store) => store.ping()).catch(
      (e: unknown) => e,
    )
    expect(error).toBeInstanceOf(StoreError)
    const { message, cause } = error as StoreError
    expect(cause).toBeUndefined()
    expect(message).toContain(address.replace('postgres@', ''))
    expect(message).not.toContain('the-secret')
    return message
  }

  test('a database of a newer version is refused in a sentence that says what to do', async () => {
    const newer = await postgres.newDatabase()
    await withStore(newer, (store) => store.ping())
    await postgres.run(newer, 'INSERT INTO gateway_checkout.migrations VALUES (999)')
    expect(await refusal(newer)).toMatch(/a newer version wrote it .* Upgrade, or use another STORE_URL/)
  })

  test.each([
    [
      'ALTER DATABASE %s SET synchronous_commit = off',
      /synchronous_commit is off, so a crash would lose payments/,
    ],
    ['ALTER DATABASE %s SET default_transaction_read_only = on', /it is read-only. Connect to the primary/],
    [
      "ALTER DATABASE %s SET default_transaction_isolation = 'serializable'",
      /its transactions are serializable. Set default_transaction_isolation to 'read committed'/,
    ],
    ['ALTER SYSTEM SET fsync = off', /fsync is off, so a crash would lose payments/],
  ])('a database whose commits would not be durable, or fail, is refused: %s', async (sql, sentence) => {
    const address = await postgres.newDatabase()
    await postgres.run(address, sql.replace('%s', new URL(address).pathname.slice(1)))
    await postgres.run(address, 'SELECT pg_reload_conf()')
    await expect.poll(() => refusal(address)).toMatch(sentence)
    await postgres.run(url, 'ALTER SYSTEM RESET fsync')
    await postgres.run(url, 'SELECT pg_reload_conf()')
  })

  test.each(['LATIN1', 'SQL_ASCII'])(
    'a database in %s is refused: a name may not fit in it',
    async (encoding) => {
      const address = await postgres.newDatabase()
      const name = `${new URL(address).pathname.slice(1)}_${encoding.toLowerCase()}`
      await postgres.run(
        address,
        `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE 'C' TEMPLATE template0`,
      )
      const message = await refusal(address.replace(/[^/]+$/, name))
      expect(message).toContain(`its encoding is ${encoding}. Create a database with ENCODING 'UTF8'`)
    },
  )

  test('a database whose user may not create the tables is refused, and the refusal names what the user needs', async () => {
    const address = await postgres.newDatabase()
    const user = `nobody_of_${new URL(address).pathname.slice(1)}`
    await postgres.run(address, `CREATE ROLE ${user} LOGIN`)
    const opened = withStore(address.replace('postgres@', `${user}@`), (store) => store.ping())
    await expect(opened).rejects.toThrow(
      'The user needs CREATE on the database, or to own the schema gateway_checkout',
    )
  })

  test.each([
    [
      'does not support',
      `ALTER FUNCTION pg_catalog.pg_walfile_name(pg_lsn) RENAME TO pg_walfile_name_of_postgres;
       CREATE FUNCTION pg_catalog.pg_walfile_name(pg_lsn) RETURNS text LANGUAGE plpgsql AS
       $$ BEGIN RAISE EXCEPTION USING ERRCODE = '0A000', MESSAGE = 'not supported'; END $$`,
    ],
    ['keeps for administrators', 'REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC'],
  ])('a managed database that %s the functions of its identity can be used', async (_, sql) => {
    const address = await postgres.newDatabase()
    const database = new URL(address).pathname.slice(1)
    const user = `user_of_${database}`
    await postgres.run(
      address,
      `${sql}; CREATE ROLE ${user} LOGIN; GRANT CREATE ON DATABASE ${database} TO ${user}`,
    )
    await withStore(address.replace('postgres@', `${user}@`), async (store) => {
      expect(await store.insert(newRow('a'))).toBe(true)
    })
  })

  test('a database that becomes read-only is not ready for a payment', async () => {
    const address = await postgres.newDatabase()
    await withStore(address, async (store) => {
      await store.ping()
      await postgres.run(
        address,
        `ALTER DATABASE ${new URL(address).pathname.slice(1)} SET default_transaction_read_only = on`,
      )
      await postgres.run(
        address,
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
      )
      await expect.poll(() => store.ping().catch((error: Error) => error.message)).toContain('read-only')
      await expect(store.insert(newRow('a'))).rejects.toThrow(/read-only.*Connect to the primary/)
    })
  })
})

test('the password of the database is replaced by a second user, beside whom the first one goes on', async () => {
  const address = await postgres.newDatabase()
  const database = new URL(address).pathname.slice(1)
  // Roles belong to the server, which other files use, too.
  const first = `first_of_${database}`
  const second = `second_of_${database}`
  const urlOf = (user: string) => address.replace('postgres@', `${user}:a-password-of-${user}@`)
  await postgres.run(
    address,
    `CREATE ROLE ${first} LOGIN PASSWORD 'a-password-of-${first}';
     GRANT CREATE ON DATABASE ${database} TO ${first}`,
  )
  const before = openStore(urlOf(first))
  expect(await before.insert(newRow('a'))).toBe(true)
  await postgres.run(
    address,
    `CREATE ROLE ${second} LOGIN PASSWORD 'a-password-of-${second}' IN ROLE ${first}`,
  )
  await withStore(urlOf(second), async (after) => {
    expect(await after.insert(newRow('b'))).toBe(true)
    expect((await before.find('b'))?.account).toEqual(HOME)
  })
  await postgres.run(address, `ALTER ROLE ${first} NOLOGIN`)
  await before.close()
  const saved = withStore(urlOf(second), (last) => last.commit('a', 1, { at: 0, record: {} }))
  expect(await saved).toMatchObject({ version: 2 })
})

describe('whatever the environment of the process says, the store is the one in STORE_URL', () => {
  afterEach(() => void vi.unstubAllEnvs())

  test.each([
    ['PGOPTIONS', '-c default_transaction_isolation=serializable'],
    ['PGREPLICATION', 'true'],
    ['PGSSLMODE', 'verify-full'],
    ['PGSSLNEGOTIATION', 'unknown'],
  ])('%s=%s', async (name, value) => {
    const address = await emptied()
    vi.stubEnv(name, value)
    await withStore(address, (store) => expect(store.ping()).resolves.toBeUndefined())
  })

  test('PGPORT: without a port it is 5432', async () => {
    const { port, pathname } = new URL(await emptied())
    vi.stubEnv('PGPORT', port)
    for (const query of ['', '?port=', '?port=0']) {
      const opened = withStore(`postgres://postgres@127.0.0.1${pathname}${query}`, (store) => store.ping())
      await expect(opened).rejects.toThrow(StoreError)
    }
  })

  test('PGAPPNAME: recover finds the servers that use the store', async () => {
    const address = await postgres.newDatabase()
    vi.stubEnv('PGAPPNAME', 'other')
    await withStore(address, async (store) => {
      await store.ping()
      vi.unstubAllEnvs()
      await expect(recoverStore(address, 0)).rejects.toThrow('a server or another command uses it')
    })
  })

  test('PGPASSWORD: without a password none is sent', async () => {
    vi.stubEnv('PGPASSWORD', 'the-secret')
    const { address, passwords } = await passwordServer()
    await expect(withStore(address, (store) => store.ping())).rejects.toThrow(StoreError)
    expect(passwords).toEqual([''])
  })
})

/** Listens as Postgres does, asks for a password in clear text, and ends the connection. */
async function passwordServer(): Promise<{ address: string; passwords: string[] }> {
  const ASK = Buffer.from([...Buffer.from('R'), 0, 0, 0, 8, 0, 0, 0, 3])
  const passwords: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(ASK)
      socket.once('data', (answer) => {
        passwords.push(answer.subarray(5, -1).toString())
        socket.end()
      })
    })
  })
  const { host } = new URL(await listen(server))
  onTestFinished(() => void server.close())
  return { address: `postgres://user@${host}/db`, passwords }
}
