import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { silentLog } from '../../server/log/log.ts'
import { embed } from '../../server/start.ts'
import { openStore } from '../../server/store/open.ts'
import { problemsOf } from '../support/least-config.ts'
import { createTerminal } from '../support/terminal.ts'

const ORDER_SIGNING_KEY = 'a signing key of 32 bytes or more'
const folder = mkdtempSync(join(tmpdir(), 'store-place-'))
afterAll(() => rmSync(folder, { recursive: true }))

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
    expect([code, err]).toEqual([78, expect.stringContaining(`  - ${refusalOf(path)}`)])
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
  for (const url of ['sqlite::memory:', 'postgres://shop:the-password@127.0.0.1:1/shop'])
    await openStore(url, { log }).close()
  expect(lines.filter((line) => line.startsWith('The store is'))).toEqual([
    `The store is the SQLite file ${path}.`,
    'The store is in memory.',
    'The store is the database 127.0.0.1:1/shop.',
  ])
})

describe('in production, a store in memory', () => {
  const STORE = { STORE_URL: 'sqlite::memory:' }

  test('is refused, because a restart loses every payment', () => {
    expect(problemsOf(STORE)).toEqual([expect.stringMatching(/^STORE_URL .*in memory.*production/)])
    expect(problemsOf({ STORE_URL_FILE: '/run/store' }, () => 'sqlite::memory:\n')).toHaveLength(1)
  })

  test('is accepted in a rehearsal and in the sandbox, where check says so', async () => {
    expect(problemsOf({ ...STORE, GATEWAY_REHEARSAL: '1' })).toEqual([])
    expect(problemsOf({ ...STORE, GATEWAY_ENVIRONMENT: 'sandbox' })).toEqual([])
    expect((await createTerminal(STORE).run('check')).out).toMatch(/^· store: STORE_URL is in memory/m)
  })
})

describe('in the sandbox, with a store in memory', () => {
  const env = { STORE_URL: 'sqlite::memory:' }
  const sentence =
    'STORE_URL is in memory: only the running server sees its payments. Set STORE_URL=sqlite:gateway-checkout.sqlite.\n'

  test.each([
    'events list',
    'api POST /api/payouts --data {}',
    'erase --reference ORDER-1',
    'backup /nowhere/store.sqlite',
    'recover',
  ])('the command %s says that it sees no payment', async (command) => {
    const { code, err, out } = await createTerminal(env).run(command)
    expect({ code, err, out }).toEqual({ code: 78, err: sentence, out: '' })
  })
})
