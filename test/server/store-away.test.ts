import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ORDER_SIGNING_KEY } from '../support/composed.ts'
import { openDatabase } from '../../server/store/sqlite/database.ts'
import { createTerminal } from '../support/terminal.ts'

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
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return `postgres://user:the-secret@127.0.0.1:${(server.address() as AddressInfo).port}/db`
}

test.each(COMMANDS)('%s ends with 69 and a sentence if the database cannot be reached', async (command) => {
  for (const host of ['127.0.0.1:1', 'nowhere.invalid']) {
    const { code, err } = await runOn(`postgres://user:the-secret@${host}/db`, command)
    expect([code, err]).toEqual([
      69,
      expect.stringContaining(`The store in STORE_URL cannot be opened: postgres://${host}/db: `),
    ])
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

test('a command ends with 69 if the database closes or does not answer the connection, or the SQLite file is locked', async () => {
  const server = createServer((socket) => void socket.on('error', () => {}).resume())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const address = `postgres://user@127.0.0.1:${(server.address() as AddressInfo).port}/db`
  const { run, newPath } = createTerminal()
  const path = newPath('sqlite')
  const other = openDatabase(path)
  onTestFinished(() => other.close())
  other.exec('PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE')
  const locked = run('events list', { env: { STORE_URL: `sqlite:${path}` } })
  expect(await runOn(address)).toMatchObject({ code: 69, err: expect.stringMatching(/timeout|terminated/) })
  server.on('connection', (socket) => socket.destroy())
  expect(await runOn(address)).toMatchObject({ code: 69 })
  expect(await locked).toMatchObject({ code: 69, err: expect.stringContaining('has locked it') })
}, 30_000)
