import { chownSync, existsSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { ServerProcess } from './server-process.ts'
import { installWithApt } from './debian.ts'
import { freePort } from './free-port.ts'
import { isRoot, NOBODY, runOnce, startServer } from './server-process.ts'

export interface Cluster {
  port: number
  folder: string
  server: ServerProcess
}

const BINARIES = '/usr/lib/postgresql/15/bin'
const OPTIONS = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'wal_receiver_status_interval=1']

/** Creates a folder for clusters of Debian's Postgres 15, which has the programs that npm's package lacks. */
export function createClusterFolder(): string {
  if (!existsSync(BINARIES)) installWithApt(['postgresql-15'])
  if (!existsSync(BINARIES))
    throw new Error('Postgres 15 is missing: run apt-get install postgresql-15 as root.')
  const folder = mkdtempSync(join(tmpdir(), 'gateway-checkout-clusters-'))
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  return folder
}

export function runProgram(name: string, parameters: string[]): Promise<void> {
  return runOnce(join(BINARIES, name), parameters)
}

export async function createCluster(folder: string): Promise<Cluster> {
  await runProgram('initdb', ['-D', folder, '-U', 'postgres', '--auth=trust', '--no-sync', '--locale=C'])
  return startCluster(folder, 'ready to accept connections')
}

export async function startCluster(folder: string, ready: string): Promise<Cluster> {
  const port = await freePort()
  const flags = ['-D', folder, '-p', String(port), ...OPTIONS.flatMap((option) => ['-c', option])]
  return {
    port,
    folder,
    server: await startServer(join(BINARIES, 'postgres'), flags, { ready, stop: 'QUIT' }),
  }
}

export interface DebianPostgres {
  /** The URL of an empty database. */
  url: string
  /** Runs a shell command. The command finds the programs of Postgres, and the URL of the database in `STORE_URL`. */
  shell(line: string): Promise<void>
  stop(): Promise<void>
}

export async function startDebianPostgres(): Promise<DebianPostgres> {
  const folder = createClusterFolder()
  const { port, server } = await createCluster(join(folder, 'data'))
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const env = { PATH: [BINARIES, process.env.PATH].join(delimiter), STORE_URL: url }
  return {
    url,
    async shell(line) {
      const child = spawn('sh', ['-c', line], { env, stdio: ['ignore', 'ignore', 'pipe'] })
      const [[code], messages] = await Promise.all([once(child, 'close'), text(child.stderr)])
      if (code !== 0) throw new Error(`${line} failed: ${messages}`)
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true })
    },
  }
}
