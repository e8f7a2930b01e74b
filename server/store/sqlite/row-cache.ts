/** Reads and writes rows of transactions. Keeps recently used rows, so that unchanged rows are not parsed again. */

import type { Transaction } from '../../store.ts'
import type { Statements } from './statements.ts'
import { z } from 'zod'
import { DataVersionRow, Row } from '../rows.ts'

const MAX_ROWS = 2_000
/** The maximum length of the record of a cached row, in characters. */
const MAX_RECORD_CHARACTERS = 16_000

const SizeRow = z.object({ characters: z.number() })

export class RowCache {
  readonly #rows = new Map<string, Transaction>()
  readonly #statements: Pick<Statements, 'find' | 'update' | 'dataVersion'>
  #dataVersion = 0
  #isChecked = false

  constructor(statements: Pick<Statements, 'find' | 'update' | 'dataVersion'>) {
    this.#statements = statements
  }

  read(id: string): Transaction | null {
    if (!this.#isChecked) this.#check()
    const cached = this.#rows.get(id)
    if (cached) return cached
    const found = this.#statements.find.get({ id })
    if (found === undefined) return null
    const row = Row.parse(found)
    this.set(row, SizeRow.parse(found).characters)
    return row
  }

  /**
   * Writes the row if the stored version equals `was`. Returns whether the row was written.
   *
   * @param record The new record as JSON text; `null` if the record is unchanged.
   */
  write(row: Transaction, record: string | null, was: number): boolean {
    const { id, version, outcome, updated_at, due_at, sent_at, asked_at, requested_at, failures } = row
    const times = { updated_at, due_at, sent_at, asked_at, requested_at }
    const values = { id, was, version, outcome, record, failures, ...times }
    if (this.#statements.update.run(values).changes !== 1) return false
    if (record !== null) this.set(row, record.length)
    else if (this.#rows.has(id)) this.#rows.set(id, row)
    return true
  }

  /** Caches the row. A full cache drops its oldest row. */
  set(row: Transaction, recordCharacters: number): void {
    this.#rows.delete(row.id)
    if (recordCharacters > MAX_RECORD_CHARACTERS) return
    this.#rows.set(row.id, row)
    if (this.#rows.size > MAX_ROWS) for (const id of this.#rows.keys()) return void this.#rows.delete(id)
  }

  delete(id: string): void {
    this.#rows.delete(id)
  }

  clear(): void {
    this.#rows.clear()
  }

  /** Makes the next look-up read SQLite's `data_version` again, to notice writes by other connections. */
  recheck(): void {
    this.#isChecked = false
  }

  /**
   * Clears the cache if another connection has written to the database, which changes SQLite's `data_version`. The
   * number is read only once per turn of the event loop, because reading it takes longer than a look-up in the cache.
   */
  #check(): void {
    const dataVersion = DataVersionRow.parse(this.#statements.dataVersion.get({})).data_version
    this.#isChecked = true
    setImmediate(() => this.recheck())
    if (dataVersion === this.#dataVersion) return
    this.#rows.clear()
    this.#dataVersion = dataVersion
  }
}
