import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { openStore } from '../../../server/store/open.ts'
import { newStoreFolder } from '../folder.ts'

import type { Store } from '../../../server/store/store.ts'
import type { Postgres } from '../postgres.ts'

/** A store whose stored bytes a test can read. */
export interface KeptStore {
  url: string
  open(): Store
  /** Returns the content of the SQLite file, its WAL and all other files in the folder; for Postgres, of all tables. */
  read(): Promise<Buffer>
}

/** Keeps a store until the test ends. `beside` names a file that `read` does not read. */
export function keepInSqlite(): KeptStore & { beside: (name: string) => string } {
  const root = newStoreFolder()
  const folder = join(root, 'store')
  mkdirSync(folder)
  const url = `sqlite:${join(folder, 'store.sqlite')}`
  return {
    url,
    open: () => openStore(url),
    beside: (name) => join(root, name),
    read: async () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
  }
}

const TABLES = `SELECT tablename FROM pg_tables WHERE schemaname = 'gateway_checkout'`

export async function keepInPostgres(postgres: Postgres): Promise<KeptStore> {
  const url = await postgres.newDatabase()
  return {
    url,
    open: () => openStore(url),
    async read() {
      const tables = await postgres.run(url, TABLES)
      const rows = await Promise.all(
        tables.map(({ tablename }) =>
          postgres.run(url, `SELECT t::text AS row FROM gateway_checkout.${String(tablename)} t`),
        ),
      )
      return Buffer.from(
        rows
          .flat()
          .map(({ row }) => String(row))
          .join('\n'),
      )
    },
  }
}

export function foundIn(bytes: Buffer, texts: readonly string[]): string[] {
  return texts.filter((text) => bytes.includes(text))
}
