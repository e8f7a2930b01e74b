/**
 * Reads rows by their ids, and keeps the rows that were read recently in memory. Every read queries Postgres, because
 * another process may have changed the row. If the row is in memory, Postgres sends its record only if the record has
 * changed. An unchanged record is therefore not transferred and parsed again.
 */

import type { Transaction } from '../../store.ts'
import type { Database } from './database.ts'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { Row } from '../sqlite/rows.ts'
import { STATEMENTS } from './statements.ts'

const MAX_ROWS = 2_000
/** The maximum length of the record of a kept row, in characters. */
const MAX_RECORD_CHARACTERS = 16_000

interface KeptRow {
  row: Transaction
  /**
   * The SHA-256 digest of the record's text. The version does not identify a record: after a failover, the same version
   * may have another record.
   */
  digest: string
}

/** A row whose record is the same as in memory. The other columns may have changed. */
const UnchangedRecord = z.object({
  record: z.null(),
  version: z.number(),
  outcome: z.string(),
  updated_at: z.number(),
  due_at: z.number().nullable(),
  sent_at: z.number().nullable(),
  asked_at: z.number().nullable(),
  failures: z.number(),
})
const RecordText = z.object({ record: z.string() })

export class RowReader {
  readonly #rows = new Map<string, KeptRow>()
  readonly #database: Pick<Database, 'query'>

  constructor(database: Pick<Database, 'query'>) {
    this.#database = database
  }

  async find(id: string): Promise<Transaction | null> {
    const kept = this.#rows.get(id)
    const [found] = await this.#database.query(STATEMENTS.find, [id, kept?.digest ?? ''])
    if (found === undefined) {
      this.#rows.delete(id)
      return null
    }
    const { data: columns } = UnchangedRecord.safeParse(found)
    if (!kept || !columns) return this.read(found)
    const row = merge(kept.row, columns)
    this.#keep({ row, digest: kept.digest })
    return row
  }

  /** Parses a row that contains its record, and keeps the row. */
  read(found: unknown): Transaction {
    const row = Row.parse(found)
    const { record } = RecordText.parse(found)
    if (record.length <= MAX_RECORD_CHARACTERS) this.#keep({ row, digest: digestOf(record) })
    else this.#rows.delete(row.id)
    return row
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
