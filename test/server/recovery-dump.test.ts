import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, onTestFinished } from 'vitest'
import type { RestorableShop } from '../support/recovery-contract.ts'
import type { ServerProcess } from '../support/server-process.ts'
import type { WorldOptions } from '../support/world.ts'
import { openStore } from '../../server/store/open.ts'
import { installWithApt } from '../support/debian.ts'
import { freePort } from '../support/free-port.ts'
import { recoveryContract } from '../support/recovery-contract.ts'
import { isRoot, NOBODY, runOnce, startServer } from '../support/server-process.ts'
import { createTerminal } from '../support/terminal.ts'
import { createWorld } from '../support/world.ts'

// Debian's Postgres 15 has the programs `pg_dump` and `psql`, which npm's package lacks.
const BINARIES = '/usr/lib/postgresql/15/bin'
const isFull = Boolean(process.env.FULL)

let server: ServerProcess
let storeUrl: string
if (isFull) {
  beforeAll(async () => {
    if (!existsSync(BINARIES)) installWithApt(['postgresql-15'])
    if (!existsSync(BINARIES)) throw new Error('Run apt-get install postgresql-15 as root.')
    const folder = mkdtempSync(join(tmpdir(), 'gateway-checkout-cluster-'))
    if (isRoot) chownSync(folder, NOBODY, NOBODY)
    const data = join(folder, 'data')
    const settings = ['-U', 'postgres', '--auth=trust', '--no-sync', '--locale=C']
    await runOnce(join(BINARIES, 'initdb'), ['-D', data, ...settings])
    const port = await freePort()
    const options = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
    const ready = { ready: 'ready to accept connections', stop: 'QUIT' } as const
    server = await startServer(
      join(BINARIES, 'postgres'),
      ['-D', data, '-p', String(port), ...options],
      ready,
    )
    storeUrl = `postgres://postgres@127.0.0.1:${port}/postgres`
    return async () => {
      await server.stop()
      rmSync(folder, { recursive: true })
    }
  }, 120_000)
}

/** Runs a shell command, which finds the programs of Postgres, and the URL of the database in `STORE_URL`. */
async function shell(line: string): Promise<void> {
  const env = { PATH: [BINARIES, process.env.PATH].join(delimiter), STORE_URL: storeUrl }
  const child = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [[code], messages] = await Promise.all([once(child, 'close'), text(child.stderr)])
  if (code !== 0) throw new Error(`${line} failed: ${messages}`)
}

async function openShop(options: WorldOptions = {}): Promise<RestorableShop> {
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
