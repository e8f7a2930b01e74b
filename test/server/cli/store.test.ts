import { EventEmitter } from 'node:events'
import { existsSync, statSync, writeFileSync, mkdirSync, renameSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import { expect, test, onTestFinished, afterAll, describe, vi } from 'vitest'

import { embed, start } from '../../../server/every-feature.ts'
import { silentLog } from '../../../server/log/log.ts'
import { openStore } from '../../../server/store/open.ts'
import { openDatabase } from '../../../server/store/sqlite/database.ts'
import { ORDER_SIGNING_KEY } from '../../support/composed.ts'
import { newFolder } from '../../support/folder.ts'
import { listen } from '../../support/free-port.ts'
import { problemsOf } from '../../support/least-config.ts'
import { CHARGE_DIALECTS } from '../../support/spec/charge-dialects.ts'
import { localPayout } from '../../support/spec/payouts.ts'
import { CHARGE } from '../../support/worlds/chargeable.ts'
import { createTerminal } from '../../support/worlds/terminal.ts'

test('a backup is made beside the server, and starts only after recover', async () => {
  const { run, post, get, environment } = createTerminal({ ORDER_SIGNING_KEY })
  const url = String(environment.STORE_URL)
  const copy = `${url.replace('sqlite:', '')}.copy`
  await post('/payouts', localPayout)
  const server = openStore(url)
  expect(await run(['backup', copy])).toEqual({
    code: 0,
    out: `${copy} is a copy of the store. To use it, restore it and run "recover".\n`,
    err: '',
  })
  expect(await run(['backup', copy])).toEqual({
    code: 73,
    out: '',
    err: `There is no backup: ${copy} exists already. Name a new file.\n`,
  })
  expect(await run('recover')).toMatchObject({
    code: 78,
    err: expect.stringMatching(/another server process uses it/),
  })
  await server.close()

  const env = { STORE_URL: `sqlite:${copy}` }
  const refused = expect.stringMatching(
    /^The store in STORE_URL cannot be opened: .*copy: it is a backup of 2026-\S+Z, and the gateway may know newer payments. Run "gateway-checkout-server recover" first\.\n?$/,
  )
  expect(await run('events list', { env })).toEqual({ code: 78, out: '', err: refused })
  const { code, err } = await run('serve', { env })
  expect({ code, msg: JSON.parse(err).msg }).toEqual({ code: 78, msg: refused })
  const recovered = await run('recover', { env })
  expect(recovered.code).toBe(0)
  expect(recovered.out).toMatch(/ask the gateway: 1\.\nNot sent when the store was copied: 0\./)
  expect(recovered.out).toMatch(/Not in the store: transactions since 2026-/)
  const { payout_reference } = localPayout
  expect((await get('/payouts', { env })).items).toMatchObject([{ payout_reference }])
})

test('where charges are found only by their id, a restored store starts none until a person has compared it', async () => {
  const { run, post, countRequests } = createTerminal({ ...CHARGE_DIALECTS.flat.env })
  expect(await run('recover --compared')).toMatchObject({
    code: 1,
    err: expect.stringContaining('never recovered'),
  })
  expect(await run('recover')).toMatchObject({
    code: 0,
    out: expect.stringContaining('once you have compared the store with the merchant portal'),
  })
  const refused = await post('/charges', CHARGE)
  expect(refused).toMatchObject({ code: 1 })
  expect(refused.out + refused.err).toContain('recovery_uncompared')
  expect(await countRequests(CHARGE_DIALECTS.flat.path)).toBe(0)
  expect(await run('recover --compared')).toEqual({
    code: 0,
    out: 'Charges and prompts can be started again.\n',
    err: '',
  })
  await post('/charges', CHARGE)
  expect(await countRequests(CHARGE_DIALECTS.flat.path)).toBe(1)
})

test('serve waits until another server has left the SQLite file, and ends with 69 if it stays', async () => {
  const { run, environment } = createTerminal({ ORDER_SIGNING_KEY, PORT: '0' })
  const staying = openStore(String(environment.STORE_URL))
  const { code, out, err } = await run('serve')
  expect({ code, err }).toEqual({ code: 69, err: expect.stringContaining('another server process uses it') })
  expect(out.match(/waiting up to 10 seconds/g)).toHaveLength(1)

  const signals = new EventEmitter()
  let isLeaving = false
  let isUp = false
  const served = run('serve', {
    signals,
    onOut: (text) => {
      if (text.includes('waiting') && !isLeaving) {
        isLeaving = true
        void staying.close()
      }
      if (text.includes('listens on port') && !isUp) {
        isUp = true
        signals.emit('SIGTERM')
      }
    },
  })
  expect((await served).err).toBe('')
  expect({ isLeaving, isUp }).toEqual({ isLeaving: true, isUp: true })
})

test.each([
  'events list',
  'api GET /api/payouts',
  'erase --phone 254700000001',
  'backup copy.sqlite',
  'recover',
])('%s creates no store where there is none', async (command) => {
  const { run, newPath } = createTerminal({ ORDER_SIGNING_KEY })
  const path = newPath('sqlite')
  for (const isEmpty of [false, true]) {
    if (isEmpty) {
      writeFileSync(path, '')
    }

    expect(await run(command, { env: { STORE_URL: `sqlite:${path}` } })).toEqual({
      code: 78,
      out: '',
      err: `There is no store at ${path}: start the server first, which creates it. If it has run, is STORE_URL right, and is this its working directory?\n`,
    })
    expect(existsSync(path) && statSync(path).size > 0).toBe(false)
    expect(existsSync(`${path}-server`)).toBe(false)
  }
})

test('a server that creates its store says so once', async () => {
  const { newPath } = createTerminal()
  const path = newPath('sqlite')
  const logged: string[] = []
  const log = { ...silentLog, info: (_: object, message: string) => void logged.push(message) }
  await openStore(`sqlite:${path}`, { log }).close()
  await openStore(`sqlite:${path}`, { log }).close()
  const created = logged.filter((line) => line.includes('created'))
  expect(created).toEqual([`A new, empty store was created at ${path}.`])
})

// systemd does not restart the server after exit code 78, so 78 is only for what a person has to change.
const COMMANDS = ['serve', 'events list', 'erase --phone 254700000001', 'recover']

async function runOn(address: string, command = 'events list') {
  const { run } = createTerminal({ STORE_URL: address, ORDER_SIGNING_KEY })
  return run(command)
}

/** Listens as Postgres does while it starts, stops or recovers: each connection ends with this SQLSTATE. */
async function refusingDatabase(sqlState: string, message: string): Promise<string> {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`)
  const header = Buffer.from('E\0\0\0\0')
  header.writeInt32BE(fields.length + 4, 1)
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(Buffer.concat([header, fields])))
  })
  const { host } = new URL(await listen(server))
  onTestFinished(() => void server.close())
  return `postgres://user:the-secret@${host}/db`
}

test.each(COMMANDS)('%s ends with 69 and a sentence if the database cannot be reached', async (command) => {
  for (const host of ['127.0.0.1:1', 'nowhere.invalid']) {
    const { code, err } = await runOn(`postgres://user:the-secret@${host}/db`, command)
    expect({ code, err }).toEqual({
      code: 69,
      err: expect.stringContaining(`The store in STORE_URL cannot be opened: postgres://${host}/db: `),
    })
    expect(err).not.toContain('the-secret')
  }
})

test.each([
  ['57P03', 'the database system is starting up', 69, 'starting up'],
  ['57P01', 'terminating connection due to administrator command', 69, 'administrator'],
  ['53300', 'sorry, too many clients already', 69, 'too many clients'],
  ['08006', 'server closed the connection unexpectedly', 69, 'closed the connection'],
  ['3D000', 'database "shop" does not exist', 78, 'Create the database'],
  ['28P01', 'password authentication failed', 78, 'Check the user and the password'],
])('if the database answers %s, %s, a command ends with %i', async (sqlState, message, code, sentence) => {
  const ended = await runOn(await refusingDatabase(sqlState, message))
  expect(ended).toMatchObject({ code, err: expect.stringContaining(sentence) })
})

test('a command ends with 78 if the address cannot be read', async () => {
  const err: unknown = expect.stringContaining('percent-encoded')
  expect(await runOn('postgres://host')).toMatchObject({ code: 78, err })
})

test('a command ends with 69 if the database closes or does not answer the connection', async () => {
  // The driver's deadline of ten seconds comes in a moment.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const passing = setInterval(() => vi.advanceTimersByTime(250), 1)
  onTestFinished(() => {
    clearInterval(passing)
    vi.useRealTimers()
  })
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  const { host } = new URL(await listen(server))
  onTestFinished(() => void server.close())
  const address = `postgres://user@${host}/db`
  expect(await runOn(address)).toMatchObject({ code: 69, err: expect.stringMatching(/timeout|terminated/) })
  server.on('connection', (socket) => socket.destroy())
  expect(await runOn(address)).toMatchObject({ code: 69 })
})

test('a store is opened and read while another process writes to it', async () => {
  const path = createTerminal().newPath('sqlite')
  await openStore(`sqlite:${path}`).close()
  const other = openDatabase(path)
  other.exec('BEGIN IMMEDIATE')
  const store = openStore(`sqlite:${path}`)
  expect(await store.find('none')).toBeNull()
  other.close()
  await store.close()
})

const folder = newFolder(afterAll)

function storeIn(...names: string[]): string {
  const path = join(folder, ...names)
  mkdirSync(path, { recursive: true })
  return join(path, 'store.sqlite')
}

const refusalOf = (path: string) =>
  `STORE_URL is ${path}, which the next build deletes: give it an absolute path outside.`

test.each([['.next', 'standalone'], ['.nuxt'], ['.output', 'server'], ['.svelte-kit', 'output']])(
  'a server refuses a SQLite file in a folder that a build deletes: %s',
  async (...names) => {
    const path = storeIn(...names)
    // A relative path, as where the working directory is in that folder.
    const { environment, run } = createTerminal({ STORE_URL: `sqlite:${relative('.', path)}` })
    await expect(embed({ env: environment, orders: () => null })).rejects.toMatchObject({
      code: 'config_invalid',
      problems: [refusalOf(path)],
    })
    const { code, err } = await run('serve', { env: { ORDER_SIGNING_KEY }, isWatched: true })
    expect({ code, err }).toEqual({ code: 78, err: expect.stringContaining(`  - ${refusalOf(path)}`) })
    const { findings } = JSON.parse((await run('check --json')).out)
    expect(findings).toContainEqual({ what: 'store', kind: 'problem', detail: refusalOf(path) })
  },
)

test('commands open the store there, so that nothing in it is lost', async () => {
  const path = storeIn('.next', 'old')
  const elsewhere = storeIn('old')
  await openStore(`sqlite:${elsewhere}`).close()
  renameSync(elsewhere, path)
  const STORE_URL = `sqlite:${path}`
  expect((await createTerminal({ STORE_URL }).run('events list')).err).toBe('The list is empty.\n')
})

test.each(['next', 'my.next', '.next-data', 'dist', 'build'])('a folder %s is accepted', async (name) => {
  await openStore(`sqlite:${storeIn(name)}`).close()
})

test('the log names the place of the store once, at info, without a password', async () => {
  const lines: string[] = []
  const log = { ...silentLog, info: (_: object, message: string) => void lines.push(message) }
  const path = storeIn('data')
  const { environment: env } = createTerminal({ STORE_URL: `sqlite:${relative('.', path)}` })
  await (await embed({ env, log, orders: () => null })).stop()
  for (const url of ['sqlite::memory:', 'postgres://shop:the-password@127.0.0.1:1/shop']) {
    await openStore(url, { log }).close()
  }

  expect(lines.filter((line) => line.startsWith('The store is'))).toEqual([
    `The store is the SQLite file ${path}.`,
    'The store is in memory.',
    'The store is the database 127.0.0.1:1/shop.',
  ])
})

describe('in production, a store in memory', () => {
  const STORE = { STORE_URL: 'sqlite::memory:' }

  test('in production, a store in memory is refused, because a restart loses every payment', () => {
    expect(problemsOf(STORE)).toEqual([expect.stringMatching(/^STORE_URL .*in memory.*production/)])
    expect(
      problemsOf({ STORE_URL_FILE: '/run/store' }, { readFile: () => 'sqlite::memory:\n' }),
    ).toHaveLength(1)
  })

  test('a store in memory is refused in a rehearsal, too, and accepted in the sandbox, where check says so', async () => {
    expect(problemsOf({ ...STORE, GATEWAY_REHEARSAL: '1' })).toHaveLength(1)
    expect(problemsOf({ ...STORE, GATEWAY_ENVIRONMENT: 'sandbox' })).toEqual([])
    expect((await createTerminal(STORE).run('check')).out).toMatch(/^· store: STORE_URL is in memory/m)
  })
})

const env = { STORE_URL: 'sqlite::memory:' }
const sentence =
  'STORE_URL is in memory: only the running server sees its payments. Set STORE_URL=sqlite:gateway-checkout.sqlite.\n'

test.each([
  'events list',
  'api POST /api/payouts --data {}',
  'erase --reference ORDER-1',
  'backup /nowhere/store.sqlite',
  'recover',
])('in the sandbox, with a store in memory, the command %s says that it sees no payment', async (command) => {
  const { code, err, out } = await createTerminal(env).run(command)
  expect({ code, err, out }).toEqual({ code: 78, err: sentence, out: '' })
})

test.each(['embed', 'start'] as const)(
  'a server that cannot start with %s has closed its store',
  async (name) => {
    const path = storeIn(`ahead-${name}`)
    const STORE_URL = `sqlite:${path}`
    const { environment, run } = createTerminal({ STORE_URL })
    const ahead = {
      MERCHANT_API_KEY: 'the key of a merchant in a test',
      MERCHANT_API_KEY_PREVIOUS: 'the key of a merchant before',
      MERCHANT_API_KEY_PREVIOUS_SINCE: '2999-01-01T00:00:00Z',
    }
    const options = { env: { ...environment, ...ahead, PORT: '0' }, log: silentLog, orders: () => null }
    const begin = { embed, start }[name]
    await expect(begin(options)).rejects.toMatchObject({
      problems: [expect.stringContaining('_PREVIOUS_SINCE lies ahead')],
    })
    expect((await run('recover')).code).toBe(0)
  },
)
