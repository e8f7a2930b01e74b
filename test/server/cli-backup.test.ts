import { EventEmitter } from 'node:events'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { silentLog } from '../../server/log/log.ts'
import { openStore } from '../../server/store/open.ts'
import { localPayout } from '../support/spec-payouts.ts'
import { createTerminal } from '../support/terminal.ts'

const ORDER_SIGNING_KEY = 'a signing key of at least 32 bytes, for a test'

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
    code: 2,
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
  expect([code, JSON.parse(err).msg]).toEqual([78, refused])
  const recovered = await run('recover', { env })
  expect(recovered.code).toBe(0)
  expect(recovered.out).toMatch(/ask the gateway: 1\.\nNot sent when the store was copied: 0\./)
  expect(recovered.out).toMatch(/Not in the store: transactions since 2026-/)
  const { payout_reference } = localPayout
  expect((await get('/payouts', { env })).items).toMatchObject([{ payout_reference }])
})

test('serve waits until another server has left the SQLite file, and ends with 69 if it stays', async () => {
  const { run, environment } = createTerminal({ ORDER_SIGNING_KEY, PORT: '0' })
  const staying = openStore(String(environment.STORE_URL))
  const { code, out, err } = await run('serve')
  expect([code, err]).toEqual([69, expect.stringContaining('another server process uses it')])
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
  expect([isLeaving, isUp]).toEqual([true, true])
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
    if (isEmpty) writeFileSync(path, '')
    expect(await run(command, { env: { STORE_URL: `sqlite:${path}` } })).toEqual({
      code: 78,
      out: '',
      err: `There is no store at ${path}: is STORE_URL right, and is this the server's working directory?\n`,
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
