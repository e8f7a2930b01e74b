import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MERCHANT, run, start } from '../support/command-line.ts'
import { startPostgres } from '../support/postgres.ts'
import type { Postgres } from '../support/postgres.ts'

const DRIVER = '@photostructure'
const TIMEOUT_MS = 120_000

const folder = mkdtempSync(join(tmpdir(), 'without-optional-'))
const modules = join(folder, 'node_modules')
const cli = join(modules, 'gateway-checkout-server/dist/cli.js')
const env = {
  ...MERCHANT,
  GATEWAY_BASE_URL: 'http://127.0.0.1:9',
  PUBLIC_URL: 'http://127.0.0.1:9',
  ORDER_SIGNING_KEY: 'a signing key of at least 32 bytes, for a test',
  HOST: '127.0.0.1',
  PORT: '0',
}
const hasBuiltIn = process.getBuiltinModule('node:sqlite') !== undefined

let postgres: Postgres
beforeAll(async () => {
  install()
  postgres = await startPostgres()
}, TIMEOUT_MS)
afterAll(async () => {
  await postgres.stop()
  rmSync(folder, { recursive: true })
}, TIMEOUT_MS)

/**
 * Installs the packed server as `npm install --omit=optional` does. Links its other dependencies to the installed
 * packages.
 */
function install(): void {
  mkdirSync(modules)
  const pack = ['pack', '--workspace', 'server', '--pack-destination', folder]
  const tarball = execFileSync('npm', pack, { encoding: 'utf8', stdio: 'pipe' }).trim().split('\n').at(-1)
  execFileSync('tar', ['-xzf', join(folder, String(tarball)), '-C', folder])
  execFileSync('mv', [join(folder, 'package'), dirname(dirname(cli))])
  for (const from of ['server/node_modules', 'node_modules'])
    for (const name of readdirSync(from)) {
      if (name === DRIVER || readdirSync(modules).includes(name)) continue
      symlinkSync(resolve(from, name), join(modules, name))
    }
}

test.each([['serve'], ['payouts', 'list'], ['backup', 'copy.sqlite'], ['recover']])(
  'without the SQLite driver, %s names the package and what to use in its place',
  { timeout: TIMEOUT_MS },
  async (...args) => {
    // Node 22.13 and newer need no package.
    if (hasBuiltIn) return
    const { code, out, err } = await run(args, { ...env, STORE_URL: `sqlite:${folder}/a.sqlite` }, '', cli)
    expect([code, out]).toEqual([args[0] === 'backup' ? 69 : 78, ''])
    expect(err).toMatch(/without the package @photostructure\/sqlite, which is not installed/)
    expect(err).toMatch(/npm install @photostructure\/sqlite@\d.*Node 22\.13.*STORE_URL.*postgres:\/\//)
    expect(err).not.toMatch(/\n\s+at /)
  },
)

test('without the SQLite driver, the server runs on Postgres', { timeout: TIMEOUT_MS }, async () => {
  const STORE_URL = await postgres.newDatabase()
  const server = await start(['serve'], { ...env, STORE_URL }, /listens on port (\d+)/, cli)
  const response = await fetch(`http://127.0.0.1:${server.match[1]}/health/ready`)
  expect(response.status).toBe(200)
  expect(await server.stop()).toBe(0)
})
