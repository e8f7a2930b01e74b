import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, onTestFinished } from 'vitest'
import type { DebianPostgres } from '../support/debian-postgres.ts'
import type { RestorableShop } from '../support/recovery-contract.ts'
import type { WorldOptions } from '../support/world.ts'
import { openStore } from '../../server/store/open.ts'
import { startDebianPostgres } from '../support/debian-postgres.ts'
import { recoveryContract } from '../support/recovery-contract.ts'
import { createTerminal } from '../support/terminal.ts'
import { createWorld } from '../support/world.ts'

let postgres: DebianPostgres
const isFull = Boolean(process.env.FULL)
if (isFull) {
  beforeAll(async () => {
    postgres = await startDebianPostgres()
  }, 120_000)
  afterAll(() => postgres.stop())
}

async function openShop(options: WorldOptions = {}): Promise<RestorableShop> {
  const { url: storeUrl } = postgres
  const shell = (line: string) => postgres.shell(line)
  await shell('psql "$STORE_URL" --command="DROP SCHEMA IF EXISTS gateway_checkout CASCADE"')
  const folder = mkdtempSync(join(tmpdir(), 'recovery-'))
  const { run } = createTerminal({ STORE_URL: storeUrl })
  // The test runs the commands that `backup` prints.
  const { out } = await run(['backup', join(folder, 'store.dump')])
  const [dump = '', drop = '', restore = ''] = out.split('\n').filter((line) => /^ {2}(pg_|psql)/.test(line))
  let store = openStore(storeUrl)
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true })
  })
  const shop = await createWorld({ store, seed: 5, ...options })
  return {
    ...shop,
    storeUrl,
    backUp: () => shell(dump),
    async restore() {
      await store.close()
      await shell(drop)
      await shell(restore)
    },
    reopen: () => (store = openStore(storeUrl)),
  }
}

describe.runIf(isFull)('a dump', () => recoveryContract('Postgres', openShop))
