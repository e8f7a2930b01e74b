import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { vi } from 'vitest'
import type { Cluster } from './debian-postgres.ts'
import { createCluster, createClusterFolder, runProgram, startCluster } from './debian-postgres.ts'
import { startProxy } from './cutting-proxy.ts'

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

const EVENTUALLY = { timeout: 300_000, interval: 20 }

export async function startReplication(): Promise<Replication> {
  const folder = createClusterFolder()
  let count = 0
  const newFolder = () => join(folder, String((count += 1)))

  let primary = await createCluster(newFolder())
  let standby = await copyOf(primary)
  const proxy = await startProxy(primary.port)

  async function copyOf({ port }: Cluster): Promise<Cluster> {
    const data = newFolder()
    const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
    const flags = ['-D', data, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
    await runProgram('pg_basebackup', [...source, ...flags])
    return startCluster(data, 'started streaming WAL from primary')
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

async function run({ port }: Cluster, sql: string): Promise<unknown[]> {
  const client = new Client(`postgres://postgres@127.0.0.1:${port}/postgres`)
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}
