/**
 * Reads rows by their ids, and keeps the rows that were read recently in memory. Every read queries Postgres, because
 * another process may have changed the row. If the row is in memory, Postgres sends its record only if the record has
 * changed. An unchanged record is therefore not transferred and parsed again.
 */

import type { Transaction } from '../../store.ts'
import type { Batches } from './batches.ts'
import type { Database } from './database.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Row, Rows } from '../sqlite/rows.ts'
import { BATCH_STATEMENTS } from './batch-statements.ts'
import { createBatches } from './batches.ts'

const MAX_ROWS = 2_000
/** The maximum length of the record of a kept row, in characters. */
const MAX_RECORD_CHARACTERS = 16_000

export interface KeptRow {
  row: Transaction
  /**
   * The SHA-256 digest of the record's text. The version does not identify a record: after a failover, the same version
   * may have another record.
   */
  digest: string
}

/** A row whose record is the same as in memory. The other columns may have changed. */
const UnchangedRecord = z.object({
  version: z.number(),
  outcome: z.string(),
  updated_at: z.number(),
  due_at: z.number().nullable(),
  sent_at: z.number().nullable(),
  asked_at: z.number().nullable(),
  failures: z.number(),
})
const RecordText = z.object({ record: z.string() })

/** The answers of a batch statement, each with the number of its item, from 1. */
const Numbered = z.array(z.looseObject({ number: z.number() }))

interface FindItem {
  id: string
  kept: KeptRow | undefined
}

export class RowReader {
  readonly #rows = new Map<string, KeptRow>()
  readonly #database: Pick<Database, 'query'>
  readonly #finds: Batches<FindItem, unknown[]>
  readonly #references: Batches<readonly string[], unknown[]>
  readonly #groups: Batches<readonly string[], unknown[]>

  constructor(database: Pick<Database, 'query'>) {
    this.#database = database
    this.#finds = this.#batches('find', (items) => [
      items.map(({ id }) => id),
      items.map(({ kept }) => kept?.digest ?? ''),
    ])
    this.#references = this.#batches('findByReference', columns)
    this.#groups = this.#batches('list', columns)
  }

  async find(id: string): Promise<Transaction | null> {
    const kept = this.#rows.get(id)
    const [found] = await this.#finds.add({ id, kept })
    if (found !== undefined) return this.read(found, kept)
    this.#rows.delete(id)
    return null
  }

  async findByReference(account: string, kind: string, reference: string): Promise<Transaction | null> {
    const [found] = await this.#references.add([account, kind, reference])
    return found === undefined ? null : this.read(found)
  }

  async list(account: string, kind: string, group: string): Promise<Transaction[]> {
    return Rows.parse(await this.#groups.add([account, kind, group]))
  }

  /** Returns the kept row with this id. */
  kept(id: string): KeptRow | undefined {
    return this.#rows.get(id)
  }

  /**
   * Parses a row, and keeps the row.
   *
   * @param kept The row that was kept before. It replaces a record that Postgres has not sent.
   */
  read(found: unknown, kept?: KeptRow): Transaction {
    if (kept && isWithoutRecord(found)) {
      const row = merge(kept.row, UnchangedRecord.parse(found))
      this.#keep({ row, digest: kept.digest })
      return row
    }
    const row = Row.parse(found)
    const { record } = RecordText.parse(found)
    if (record.length <= MAX_RECORD_CHARACTERS) this.#keep({ row, digest: digestOf(record) })
    else this.#rows.delete(row.id)
    return row
  }

  /** Combines reads. Resolves for each item with the rows that the statement has found for the item. */
  #batches<Item>(
    statement: 'find' | 'findByReference' | 'list',
    valuesOf: (items: readonly Item[]) => unknown[],
  ): Batches<Item, unknown[]> {
    const runAll = async (items: readonly Item[]) => {
      const found = Numbered.parse(await this.#database.query(BATCH_STATEMENTS[statement], valuesOf(items)))
      const results = items.map((): unknown[] => [])
      for (const row of found) results[row.number - 1]?.push(row)
      return results
    }
    return createBatches({ runAll, runOne: async (item) => (await runAll([item]))[0] ?? [] })
  }

  /** Keeps the row. If too many rows are kept, drops the row that was read least recently. */
  #keep(kept: KeptRow): void {
    const { id } = kept.row
    this.#rows.delete(id)
    this.#rows.set(id, kept)
    if (this.#rows.size > MAX_ROWS)
      for (const oldest of this.#rows.keys()) return void this.#rows.delete(oldest)
  }
}

function isWithoutRecord(found: unknown): boolean {
  return typeof found === 'object' && found !== null && 'record' in found && found.record === null
}

/** Returns one array per column. */
function columns(items: readonly (readonly string[])[]): unknown[] {
  return [0, 1, 2].map((column) => items.map((item) => item[column]))
}

/**
 * Returns the same object `row` if no column has changed, so that values that were computed from this object stay
 * cached.
 */
function merge(row: Transaction, columns: z.output<typeof UnchangedRecord>): Transaction {
  const { version, outcome, updated_at, due_at, sent_at, asked_at, failures } = columns
  const isSame =
    version === row.version &&
    outcome === row.outcome &&
    updated_at === row.updated_at &&
    due_at === row.due_at &&
    sent_at === row.sent_at &&
    asked_at === row.asked_at &&
    failures === row.failures
  return isSame ? row : { ...row, version, outcome, updated_at, due_at, sent_at, asked_at, failures }
}

/** Must return the same digest as the statement `find`. */
function digestOf(record: string): string {
  return createHash('sha256').update(record).digest('hex')
}
