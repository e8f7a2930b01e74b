import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

import { linkModules } from '../create/packed.ts'
import { newFolder } from '../support/folder.ts'
import { startPostgres } from '../support/postgres.ts'
import { MERCHANT, run, start } from '../support/worlds/command-line.ts'

const TIMEOUT_MS = 120_000

const folder = newFolder(afterAll)
const cli = join(folder, 'node_modules/gateway-checkout-server/dist/cli.js')
linkModules(folder, ['@photostructure'])
const env = {
  ...MERCHANT,
  GATEWAY_BASE_URL: 'http://127.0.0.1:9',
  PUBLIC_URL: 'http://127.0.0.1:9',
  ORDER_SIGNING_KEY: 'a signing key of at least 32 bytes, for a test',
  MERCHANT_WEBHOOK_URL: 'http://127.0.0.1:9/events',
  MERCHANT_WEBHOOK_SECRET: 'whsec_MTIzNDVhYmNkZWZnaGlqa2xtbm9wcXJzdHV2d3h5eg==',
  HOST: '127.0.0.1',
  PORT: '0',
}
const hasBuiltIn = process.getBuiltinModule('node:sqlite') !== undefined

const postgres = await startPostgres()
afterAll(() => postgres.stop(), TIMEOUT_MS)

test.concurrent.each([['serve'], ['events', 'list'], ['backup', 'copy.sqlite'], ['recover']])(
  'without the SQLite driver, %s names the package and what to use in its place',
  { timeout: TIMEOUT_MS },
  async (...args) => {
    // Node 22.13 and newer need no package.
    if (hasBuiltIn) {
      return
    }

    // A command names a missing file first.
    writeFileSync(`${folder}/a.sqlite`, 'any')
    const { code, out, err } = await run(args, { ...env, STORE_URL: `sqlite:${folder}/a.sqlite` }, '', cli)
    expect({ code, out }).toEqual({ code: 78, out: '' })
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
