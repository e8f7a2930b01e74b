import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '../../server/store.ts'
import type { Postgres } from './postgres.ts'
import { openStore } from '../../server/store/open.ts'
import { counting } from './counting-store.ts'

/** A store, and what its database keeps. */
export interface KeptStore {
  url: string
  /** Opens the store. `isBusy` returns whether calls of the store have not returned. */
  open(): { store: Store; isBusy: () => boolean }
  /** Returns the content of the SQLite file, of its WAL, and of other files beside it; or of all Postgres tables. */
  read(): Promise<Buffer>
}

/** @param folder A folder for the files of this store alone. */
export function keepInSqlite(folder: string): KeptStore {
  mkdirSync(folder, { recursive: true })
  const url = `sqlite:${join(folder, 'store.sqlite')}`
  return {
    url,
    open: () => openCounting(url),
    read: async () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
  }
}

const TABLES = `SELECT tablename FROM pg_tables WHERE schemaname = 'gateway_checkout'`

export async function keepInPostgres(postgres: Postgres): Promise<KeptStore> {
  const url = await postgres.newDatabase()
  return {
    url,
    open: () => openCounting(url),
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

function openCounting(url: string): { store: Store; isBusy: () => boolean } {
  const calls = { running: 0 }
  return { store: counting(openStore(url), calls), isBusy: () => calls.running > 0 }
}

/** Returns the texts that the bytes contain. */
export function foundIn(bytes: Buffer, texts: readonly string[]): string[] {
  return texts.filter((text) => bytes.includes(text))
}
