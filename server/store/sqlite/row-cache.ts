/** Keeps recently used rows in memory, so that unchanged rows are not read and parsed again. */

import type { Transaction } from '../../store.ts'

const MAX_ROWS = 2_000
/** The maximum length of the record of a cached row, in characters. */
const MAX_RECORD_CHARACTERS = 16_000

export class RowCache {
  readonly #rows = new Map<string, Transaction>()
  readonly #readVersion: () => number
  #dataVersion = 0
  #isChecked = false

  /**
   * @param readVersion Returns SQLite's `data_version`, which changes when another connection has written to the
   * database. The cache is cleared when this number changes. The number is read only once per turn of the event loop,
   * because reading the number takes longer than a look-up in the cache.
   */
  constructor(readVersion: () => number) {
    this.#readVersion = readVersion
  }

  get(id: string): Transaction | undefined {
    if (!this.#isChecked) this.#check()
    return this.#rows.get(id)
  }

  /** Makes the next look-up read SQLite's `data_version` again, to notice writes by other connections. */
  recheck(): void {
    this.#isChecked = false
  }

  #check(): void {
    const dataVersion = this.#readVersion()
    this.#isChecked = true
    setImmediate(() => this.recheck())
    if (dataVersion === this.#dataVersion) return
    this.#rows.clear()
    this.#dataVersion = dataVersion
  }

  /** Caches the row. A full cache drops its oldest row. */
  set(row: Transaction, recordCharacters: number): void {
    this.#rows.delete(row.id)
    if (recordCharacters > MAX_RECORD_CHARACTERS) return
    this.#rows.set(row.id, row)
    if (this.#rows.size > MAX_ROWS) for (const id of this.#rows.keys()) return void this.#rows.delete(id)
  }

  /** Replaces the cached row that has the id of `row`, if there is one. Both rows must have the same record. */
  replace(row: Transaction): void {
    if (this.#rows.has(row.id)) this.#rows.set(row.id, row)
  }

  delete(id: string): void {
    this.#rows.delete(id)
  }

  clear(): void {
    this.#rows.clear()
  }
}
