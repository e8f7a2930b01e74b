import { chownSync, existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { vi } from 'vitest'
import type { ServerProcess } from './server-process.ts'
import { installWithApt } from './debian.ts'
import { startProxy } from './freezable-proxy.ts'
import { freePort } from './free-port.ts'
import { isRoot, NOBODY, runOnce, startServer } from './server-process.ts'

export interface Replication {
  /** The URL of a database on the primary. After a failover, this URL leads to the promoted server. */
  url: string
  /** Ends the replication. The standby does not receive later commits. */
  detach(): Promise<void>
  /** Kills the primary and promotes the standby, which takes over the primary's address. */
  failOver(): Promise<void>
  attach(): Promise<void>
  stop(): Promise<void>
}

interface Node {
  port: number
  folder: string
  server: ServerProcess
}

const BINARIES = '/usr/lib/postgresql/15/bin'
const EVENTUALLY = { timeout: 30_000, interval: 20 }
const OPTIONS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_receiver_status_interval=1']

export async function startReplication(): Promise<Replication> {
  if (!existsSync(BINARIES)) installWithApt(['postgresql-15'])
  if (!existsSync(BINARIES))
    throw new Error('Postgres 15 is missing: run apt-get install postgresql-15 as root.')
  const folder = mkdtempSync(join(tmpdir(), 'gateway-checkout-replication-'))
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  let count = 0
  const newFolder = () => join(folder, String((count += 1)))

  const first = newFolder()
  await runOnce(join(BINARIES, 'initdb'), [
    '-D',
    first,
    '-U',
    'postgres',
    '--auth=trust',
    '--no-sync',
    '--locale=C',
  ])
  let primary = await startNode(first, 'ready to accept connections')
  let standby = await copyOf(primary)
  const proxy = await startProxy(primary.port)

  async function copyOf({ port }: Node): Promise<Node> {
    const data = newFolder()
    const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
    const flags = ['-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
    await runOnce(join(BINARIES, 'pg_basebackup'), [...source, ...flags])
    return startNode(data, 'started streaming WAL from primary')
  }

  return {
    url: `postgres://postgres@127.0.0.1:${proxy.port}/postgres`,
    async detach() {
      await run(standby, `ALTER SYSTEM SET primary_conninfo = ''`)
      await run(standby, 'SELECT pg_reload_conf()')
      await vi.waitFor(async () => {
        const receivers = await run(standby, 'SELECT pid FROM pg_stat_wal_receiver')
        if (receivers.length > 0) throw new Error('The standby still receives commits.')
      }, EVENTUALLY)
    },
    async failOver() {
      await primary.server.stop()
      proxy.refuse()
      await run(standby, 'SELECT pg_promote()')
      proxy.redirect(standby.port)
      proxy.admit()
      const { folder: old } = primary
      primary = standby
      await rm(old, { recursive: true })
    },
    async attach() {
      standby = await copyOf(primary)
    },
    async stop() {
      await proxy.close()
      await Promise.all([primary.server.stop(), standby.server.stop()])
      await rm(folder, { recursive: true })
    },
  }
}

async function startNode(folder: string, ready: string): Promise<Node> {
  const port = await freePort()
  const flags = ['-D', folder, '-p', String(port), ...OPTIONS.flatMap((option) => ['-c', option])]
  return {
    port,
    folder,
    server: await startServer(join(BINARIES, 'postgres'), flags, { ready, stop: 'QUIT' }),
  }
}

async function run({ port }: Node, sql: string): Promise<unknown[]> {
  const client = new Client(`postgres://postgres@127.0.0.1:${port}/postgres`)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
